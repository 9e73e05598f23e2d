/**
 * Reads the members of one object of a definition by name and rule. Every reader returns null when the member is absent
 * or wrong; what is wrong is reported with its path, and `finish` reports what nobody asked for.
 */
import { parseDuration } from '../duration.js';
import { compileTemplate, type Template } from '../expression/template.js';
import { jsonKind } from '../json/cut.js';
import { formatPath } from '../json/json-path.js';
import { sliceElements, sliceMembers } from '../json/slice.js';
import { decodeString } from '../json/string-text.js';
import type { NameRule } from './name-rule.js';
import type { Place } from './place.js';

/** A value of the definition and where it stands. */
export interface Located {
  readonly text: string;
  readonly path: string;
}

/** Ten years: the longest that anything may last. */
export const maxDurationMs = 3_652 * 86_400_000;

export class Fields {
  private readonly members = new Map<string, string>();
  private readonly asked = new Set<string>();

  private constructor(
    text: string,
    readonly path: string,
    readonly place: Place,
  ) {
    for (const [name, value] of sliceMembers(text)) {
      if (this.members.has(name)) this.report(name, 'is given twice');
      this.members.set(name, value);
    }
  }

  /** Null, and a defect, when the value is not an object. */
  static read(value: Located, place: Place): Fields | null {
    if (jsonKind(value.text) === 'object') return new Fields(value.text, value.path, place);
    place.report.add(value.path, `must be an object, is ${shown(value.text)}`);
    return null;
  }

  /** An object without members, in place of an absent one. */
  static empty(path: string, place: Place): Fields {
    return new Fields('{}', path, place);
  }

  pathOf(name: string): string {
    const member = formatPath([name]);
    return this.path === '' || member.startsWith('[') ? this.path + member : `${this.path}.${member}`;
  }

  report(name: string, message: string): null {
    this.place.report.add(this.pathOf(name), message);
    return null;
  }

  has(name: string): boolean {
    return this.members.has(name);
  }

  names(): readonly string[] {
    return [...this.members.keys()];
  }

  raw(name: string): Located | null {
    this.asked.add(name);
    const text = this.members.get(name);
    return text === undefined ? null : { text, path: this.pathOf(name) };
  }

  required(name: string): Located | null {
    return this.raw(name) ?? this.report(name, 'is required');
  }

  string(name: string, rule?: NameRule): string | null {
    const value = this.raw(name);
    return value && readString(value, this.place, rule);
  }

  requiredString(name: string, rule?: NameRule): string | null {
    return this.required(name) && this.string(name, rule);
  }

  integer(name: string, min: number, max: number): number | null {
    const value = this.raw(name);
    return value && readInteger(value, min, max, this.place);
  }

  /** Fractions allowed. */
  number(name: string, min: number, max: number): number | null {
    const value = this.raw(name);
    if (!value) return null;
    const number = jsonKind(value.text) === 'number' ? Number(value.text) : NaN;
    if (number >= min && number <= max) return number;
    return this.report(name, `must be a number from ${min} to ${max}, is ${shown(value.text)}`);
  }

  boolean(name: string): boolean | null {
    const value = this.raw(name);
    if (!value) return null;
    if (jsonKind(value.text) === 'boolean') return value.text === 'true';
    return this.report(name, `must be true or false, is ${shown(value.text)}`);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const value = this.raw(name);
    return value && readOneOf(value, allowed, this.place);
  }

  /** Milliseconds. */
  duration(name: string, minMs = 1): number | null {
    const value = this.raw(name);
    if (!value) return null;
    const ms = jsonKind(value.text) === 'string' ? parseDuration(decodeString(value.text)) : null;
    if (ms === null) return this.report(name, `must be a duration like "10s", "5m" or "PT5M", is ${shown(value.text)}`);
    if (ms >= minMs && ms <= maxDurationMs) return ms;
    return this.report(
      name,
      `must be ${minMs === 0 ? 'at least 0 and' : 'more than 0,'} at most 10 years, is ${shown(value.text)}`,
    );
  }

  list(name: string): Located[] | null {
    const value = this.raw(name);
    return value && readList(value, this.place);
  }

  object(name: string): Fields | null {
    const value = this.raw(name);
    return value && Fields.read(value, this.place);
  }

  template(name: string, options: { readonly allowSecrets?: boolean } = {}): Template | null {
    const value = this.raw(name);
    return value && readTemplate(value, this.place, options.allowSecrets ?? false);
  }

  /** A template that must be written as a string. */
  textTemplate(name: string, options: { readonly allowSecrets?: boolean } = {}): Template | null {
    const value = this.raw(name);
    if (!value) return null;
    if (jsonKind(value.text) !== 'string') return this.report(name, `must be a string, is ${shown(value.text)}`);
    return readTemplate(value, this.place, options.allowSecrets ?? false);
  }

  /** Reports the members that no reader has asked for. */
  finish(): void {
    for (const name of this.members.keys()) if (!this.asked.has(name)) this.report(name, 'unknown field');
  }
}

export function readString(value: Located, place: Place, rule?: NameRule): string | null {
  const text = jsonKind(value.text) === 'string' ? decodeString(value.text) : null;
  if (text !== null && (!rule || rule.pattern.test(text))) return text;
  place.report.add(value.path, `must be ${rule?.wording ?? 'a string'}, is ${shown(value.text)}`);
  return null;
}

export function readInteger(value: Located, min: number, max: number, place: Place): number | null {
  const number = jsonKind(value.text) === 'number' ? Number(value.text) : NaN;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  place.report.add(value.path, `must be an integer from ${min} to ${max}, is ${shown(value.text)}`);
  return null;
}

export function readOneOf<T extends string>(value: Located, allowed: readonly T[], place: Place): T | null {
  const text = jsonKind(value.text) === 'string' ? decodeString(value.text) : null;
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  place.report.add(value.path, `must be one of ${allowed.join(', ')}, is ${shown(value.text)}`);
  return null;
}

export function readList(value: Located, place: Place): Located[] | null {
  if (jsonKind(value.text) === 'array')
    return Array.from(sliceElements(value.text), (text, i) => ({ text, path: `${value.path}[${i}]` }));
  place.report.add(value.path, `must be a list, is ${shown(value.text)}`);
  return null;
}

export function readTemplate(value: Located, place: Place, allowSecrets: boolean): Template | null {
  const compiled = compileTemplate(value.text, { path: value.path, allowSecrets, roots: place.roots });
  if (compiled.ok) {
    place.note(compiled.template.references, value.path);
    return compiled.template;
  }
  for (const defect of compiled.defects) place.report.add(defect.path, defect.message);
  return null;
}

/** A value as messages show it: short ones as they are, others by their kind. */
export function shown(text: string): string {
  if (text.length <= 40) return text;
  const kind = jsonKind(text);
  return kind === 'string' ? `${text.slice(0, 40)}…` : `${kind === 'array' || kind === 'object' ? 'an' : 'a'} ${kind}`;
}
