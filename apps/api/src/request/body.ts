import { jsonKind, sliceMembers } from '@app/domain';
import type { z } from 'zod';
import { refused, type ProblemDefect } from '../problem/problem.js';

/** The exact texts of the members of a body, by name; of duplicates the last. */
export function bodyMembers(text: string, known: readonly string[]): Map<string, string> {
  if (jsonKind(text) !== 'object') throw refused([{ path: '', message: `must be an object, not ${jsonKind(text)}` }]);
  const members = new Map(sliceMembers(text));
  const unknown = [...members.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw refused(unknown.map((name) => ({ path: shown(name), message: 'is not known' })));
  return members;
}

/**
 * A body that carries no payload, as the schema reads it. Its texts are compared and kept as values, so all of them must be what the
 * database can hold.
 * @throws Problem 422 with every defect, unknown members included
 */
export function parseBody<Shape extends z.ZodObject>(schema: Shape, text: string): z.output<Shape> {
  if (jsonKind(text) !== 'object') throw refused([{ path: '', message: `must be an object, not ${jsonKind(text)}` }]);
  const unknown = [...new Set(sliceMembers(text).map(([name]) => name))].filter(
    (name) => !Object.hasOwn(schema.shape, name),
  );
  const value: unknown = JSON.parse(text);
  const parsed = schema.safeParse(value);
  const read = [
    ...unknown.map((name) => ({ path: shown(name), message: 'is not known' })),
    ...(parsed.success ? [] : defectsOf(parsed.error)),
  ];
  const told = new Set(read.map(({ path }) => path));
  const defects = [...read, ...unstorable(value, []).filter(({ path }) => !told.has(path))];
  if (defects.length > 0 || !parsed.success) throw refused(defects);
  return parsed.data;
}

/** The defects of a zod error with their paths as api.md writes them. */
export function defectsOf(error: z.ZodError, prefix = ''): ProblemDefect[] {
  const defects = error.issues.flatMap((issue) => {
    const path = pathOf(issue.path, prefix);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: pathOf([...issue.path, key], prefix), message: 'is not known' }));
    return [{ path, message: issue.message }];
  });
  // a number that is neither whole nor within its bounds has one defect
  return [...new Map(defects.map((defect) => [`${defect.path}: ${defect.message}`, defect])).values()];
}

/** Texts that no column holds: with a NUL, or with half a surrogate pair. */
function unstorable(value: unknown, at: readonly PropertyKey[]): ProblemDefect[] {
  if (typeof value === 'string') {
    if (value.includes('\0')) return [{ path: pathOf(at, ''), message: 'must not hold NUL' }];
    return /[\ud800-\udfff]/u.test(value) ? [{ path: pathOf(at, ''), message: 'must be well-formed Unicode' }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((one, i) => unstorable(one, [...at, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => unstorable(one, [...at, name]));
}

function pathOf(path: readonly PropertyKey[], prefix: string): string {
  let text = prefix;
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? shown(String(part)) : `.${shown(String(part))}`;
  }
  return text;
}

function shown(name: string): string {
  return name.length > 128 ? `${name.slice(0, 128)}…` : name;
}
