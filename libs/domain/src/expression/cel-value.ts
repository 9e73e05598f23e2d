/**
 * Between JSON text and the values CEL computes with. Integers in the int64 range become bigints, other numbers doubles;
 * objects become maps that cut a member only when it is read, and go back to JSON as the text they came from.
 */
import { jsonKind } from '../json/cut.js';
import { sliceElements, sliceMembers } from '../json/slice.js';
import { decodeString, encodeString } from '../json/string-text.js';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

/** JSON text → CEL value. */
export function fromJson(text: string): unknown {
  switch (jsonKind(text)) {
    case 'object':
      return new JsonMap(text);
    case 'array':
      return listFromJson(text);
    case 'string':
      return decodeString(text.trim());
    case 'number':
      return numberFromJson(text.trim());
    default:
      return JSON.parse(text) as boolean | null;
  }
}

function numberFromJson(text: string): bigint | number {
  if (/^-?\d{1,19}$/.test(text)) {
    const value = BigInt(text);
    if (isInt64(value)) return value;
  }
  return Number(text);
}

/** The text that a list was made from. */
const listTexts = new WeakMap<readonly unknown[], string>();

function listFromJson(text: string): unknown[] {
  const list = Array.from(sliceElements(text), fromJson);
  listTexts.set(list, text);
  return list;
}

/**
 * An object of a payload. A Map, so that no name in it can reach a prototype; its members are cut when the first one is
 * asked for, and converted one by one.
 */
export class JsonMap extends Map<string, unknown> {
  private texts: Map<string, string> | null = null;

  constructor(readonly text: string) {
    super();
  }

  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    const text = this.members().get(name);
    if (text === undefined) return undefined;
    const value = fromJson(text);
    super.set(name, value);
    return value;
  }

  override has(name: string): boolean {
    return this.members().has(name);
  }

  override get size(): number {
    return this.members().size;
  }

  override keys(): MapIterator<string> {
    return this.members().keys();
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const name of this.members().keys()) yield [name, this.get(name)];
  }

  override *values(): MapIterator<unknown> {
    for (const name of this.members().keys()) yield this.get(name);
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }

  private members(): Map<string, string> {
    return (this.texts ??= new Map(sliceMembers(this.text)));
  }
}

/** The engine tells kinds of values apart by constructor and knows only the plain one. */
Object.defineProperty(JsonMap.prototype, 'constructor', { value: Map });

/**
 * CEL value → exact JSON text.
 * @throws RangeError when it has no JSON form (NaN, an integer beyond 64 bits, a type)
 */
export function toJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return encodeString(value);
    case 'boolean':
      return String(value);
    case 'bigint':
      if (!isInt64(value)) throw new RangeError(`integer overflow: ${value}`);
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON form`);
      return Object.is(value, -0) ? '-0' : String(value);
    case 'object':
      return value === null ? 'null' : objectToJson(value);
    default:
      throw new RangeError(`a value of type ${typeof value} has no JSON form`);
  }
}

function objectToJson(value: object): string {
  if (value instanceof JsonMap) return value.text;
  if (Array.isArray(value)) return listTexts.get(value) ?? `[${value.map(toJson).join(',')}]`;
  if (value instanceof Map) return membersToJson([...(value as Map<unknown, unknown>)]);
  if (value instanceof Date) return encodeString(value.toISOString());
  if (value instanceof Uint8Array) throw new RangeError('bytes have no JSON form; use base64() or string()');
  const primitive: unknown = value.valueOf();
  if (typeof primitive === 'bigint') return String(primitive);
  if (typeof primitive === 'number') return encodeString((value as { toString(): string }).toString());
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return membersToJson(Object.entries(value));
  throw new RangeError('a type has no JSON form');
}

function membersToJson(members: readonly (readonly [unknown, unknown])[]): string {
  return `{${members.map(([name, value]) => `${encodeString(String(name))}:${toJson(value)}`).join(',')}}`;
}
