import type { Type } from './type.js';

const source = Symbol('expression');

/** An expression that gives a T when the pipeline runs. In a string it is written `${…}`. */
export interface Reference<T> extends Type<T> {
  readonly [source]: string;
}

type Known<T> = Exclude<T, undefined | null>;

/** A path, such as `${input.rows}`, with a path for each of its members. */
export type Ref<T> = 0 extends 1 & T
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- of any every member is any
    any
  : Reference<T> &
      (Known<T> extends readonly (infer Element)[]
        ? { readonly [index: number]: Ref<Element> }
        : Known<T> extends object
          ? { readonly [Member in keyof Known<T>]-?: Ref<Exclude<Known<T>[Member], undefined>> }
          : unknown);

/** What may stand where a T is wanted: the value, a reference to one, or a structure with references in it; strings are templates. */
export type Templated<T> =
  | Reference<T>
  | T
  | (Known<T> extends readonly (infer Element)[]
      ? readonly Templated<Element>[]
      : Known<T> extends object
        ? { readonly [Member in keyof Known<T>]: Templated<Known<T>[Member]> }
        : never);

/** The value that a structure with references in it becomes. */
export type Resolved<V> =
  V extends Reference<infer T> ? T : V extends object ? { -readonly [Member in keyof V]: Resolved<V[Member]> } : V;

/** A path as a value: its members are paths, and in a string it is `${path}`. */
export function refTo<T>(path: string): Ref<T> {
  return new Proxy(
    {},
    {
      get: (_target, member) => {
        if (member === source) return path;
        if (member === Symbol.toPrimitive) return () => `\${${path}}`;
        return typeof member === 'string' ? refTo(`${path}${accessor(member)}`) : undefined;
      },
      has: (_target, member) => member === source,
    },
  ) as Ref<T>;
}

function accessor(member: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(member)) return `.${member}`;
  if (/^\d{1,9}$/.test(member)) return `[${member}]`;
  return `["${member.replaceAll(/["\\]/g, '\\$&')}"]`;
}

/**
 * An expression in CEL: cel<boolean>`${join.output.failed} > 0`. What is put in is a reference, or a value, which is written
 * as its literal.
 */
export function cel<T = unknown>(texts: TemplateStringsArray, ...parts: readonly unknown[]): Reference<T> {
  const written = texts.reduce((text, next, i) => `${text}${literal(parts[i - 1])}${next}`);
  return { [source]: written, [Symbol.toPrimitive]: () => `\${${written}}` } as Reference<T>;
}

/**
 * A text with references in it: text`https://a.example/${item.id}` is the template `https://a.example/${item.id}`. A plain
 * template string gives the same; this one says that it is meant.
 */
export function text(texts: TemplateStringsArray, ...parts: readonly (Reference<unknown> | string | number)[]): string {
  return texts.reduce((written, next, i) => {
    const part = parts[i - 1]!;
    const expression = expressionOf(part);
    return `${written}${expression === null ? String(part as string | number) : `\${${expression}}`}${next}`;
  });
}

function literal(part: unknown): string {
  return expressionOf(part) ?? (typeof part === 'bigint' ? String(part) : JSON.stringify(part));
}

/** The expression of a reference; null for anything else. */
export function expressionOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null && source in value ? (value as Reference<unknown>)[source] : null;
}

/** A structure as plain JSON: references as templates, what is undefined left out. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const expression = expressionOf(value);
  if (expression !== null) return `\${${expression}}`;
  if (Array.isArray(value)) return value.map(plain);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return plain((value as { toJSON(): unknown }).toJSON());
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}
