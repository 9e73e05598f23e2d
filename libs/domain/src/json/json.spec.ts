import fc from 'fast-check';
import { canonicalJson } from './canonical.js';
import { checkJson } from './check-json.js';
import { cutPath, jsonKind } from './cut.js';
import { sliceElements, sliceMembers } from './slice.js';
import { squeeze } from './squeeze.js';
import { decodeString, encodeString } from './string-text.js';

/** Seeds times texts a seed: a million generated texts agree with JSON.parse at every run. */
const seeds = 10_000;
const textsPerSeed = 100;

describe('the scanner and JSON.parse', () => {
  it('agree on a million generated texts: borders of elements and members, cut values, white space', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7fffffff }), (seed) => {
        const texts = new JsonTexts(seed);
        for (let i = 0; i < textsPerSeed; i++) agree(texts.spaced(i % 2 ? texts.array(3) : texts.object(3)));
      }),
      { numRuns: seeds },
    );
  });

  it('agree on which of 100,000 damaged texts are JSON', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7fffffff }), (seed) => {
        const texts = new JsonTexts(seed);
        for (let i = 0; i < 100; i++) {
          const text = damaged(texts, texts.value(2));
          const defect = checkJson(text);
          if (parses(text) !== (defect === null)) throw new Error(`${JSON.stringify(text)}: ${defect?.message}`);
          if (defect && (defect.offset < 0 || defect.offset > text.length)) throw new Error('offset outside the text');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('agree on arbitrary values of fast-check', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => agree(text)),
      { numRuns: 2_000 },
    );
  });
});

function agree(text: string): void {
  const value: unknown = JSON.parse(text);
  if (checkJson(text) !== null) throw new Error(`refused: ${text}`);
  same(squeeze(text), value, text);
  if (jsonKind(text) !== kindOf(value)) throw new Error(`wrong kind: ${text}`);
  if (Array.isArray(value)) {
    const elements = [...sliceElements(text)];
    if (elements.length !== value.length) throw new Error(`${elements.length} elements: ${text}`);
    elements.forEach((element, i) => {
      same(element, value[i], text);
      agree(element);
      if (cutPath(text, [i]) !== element) throw new Error(`cut ${i}: ${text}`);
    });
    if (cutPath(text, [value.length]) !== undefined || cutPath(text, ['0']) !== undefined) throw new Error(text);
  } else if (typeof value === 'object' && value !== null) {
    const members = new Map(sliceMembers(text));
    const own = Object.keys(value);
    if (members.size !== own.length) throw new Error(`${members.size} members: ${text}`);
    for (const name of own) {
      const cut = cutPath(text, [name]);
      if (cut === undefined || cut !== members.get(name)) throw new Error(`cut ${name}: ${text}`);
      same(cut, (value as Record<string, unknown>)[name], text);
    }
    for (const name of ['absent', 'toString', 'constructor', '__proto__'])
      if ((cutPath(text, [name]) !== undefined) !== Object.hasOwn(value, name)) throw new Error(`cut ${name}: ${text}`);
  }
}

function same(cut: string, value: unknown, text: string): void {
  if (JSON.stringify(JSON.parse(cut)) !== JSON.stringify(value)) throw new Error(`${cut} is not what lies in ${text}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function damaged(texts: JsonTexts, text: string): string {
  const at = texts.below(text.length + 1);
  const wrong = texts.of(['', ',', '"', '}', ']', '{', '[', ':', '\\', '0', '-', 'e', '.', '\u0001', '\u00a0', 'nul']);
  return text.slice(0, at) + wrong + text.slice(at + texts.below(2));
}

describe('checkJson', () => {
  it('lets every digit, escape and lone surrogate pass', () => {
    for (const text of [
      '1e400',
      '-0',
      '9007199254740993',
      '"\\u0000"',
      '"\\ud800"',
      '"\ud800"',
      ' [ ] ',
      '{"a":1,"a":2}',
    ])
      expect(checkJson(text)).toBeNull();
  });

  it('names the path and the offset of the first defect', () => {
    expect(checkJson('{"items": [{"name": "a"}, {"na me": 01}]}')).toEqual({
      offset: 37,
      path: 'items[1]["na me"]',
      message: 'expected "," or "}", found "1" at offset 37',
    });
    expect(checkJson('')).toMatchObject({ offset: 0, path: '', message: 'unexpected the end at offset 0' });
    expect(checkJson('{"a": "b')).toMatchObject({ path: 'a', message: 'a string is not closed at offset 8' });
    expect(checkJson('[1, 2, "\\x"]')).toMatchObject({ path: '[2]', offset: 8 });
  });

  it('allows exactly the depth it is told, and a million opening brackets break no stack', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(checkJson(nested(1000))).toBeNull();
    expect(checkJson(nested(1001))).toMatchObject({ offset: 1000 });
    expect(checkJson(nested(1_000_000), { maxDepth: 2_000_000 })).toBeNull();
    expect(checkJson('['.repeat(1_000_000))?.message).toContain('nested more than 1000 deep');
  });
});

describe('cutting', () => {
  it('reads own members only, the last of duplicates, and __proto__ as a plain name', () => {
    const text = '{"__proto__": {"polluted": true}, "a": 1, "\\u0061": 2}';
    expect(cutPath(text, ['__proto__', 'polluted'])).toBe('true');
    expect(cutPath(text, ['a'])).toBe('2');
    expect(cutPath(text, ['constructor'])).toBeUndefined();
    expect(cutPath(text, ['a', 'length'])).toBeUndefined();
    expect(cutPath('{"0": 1}', [0])).toBeUndefined();
    expect(cutPath(' [ 1 , 2 ] ', [])).toBe('[ 1 , 2 ]');
  });

  it('keeps the exact text of every element', () => {
    expect([...sliceElements(' [ 1.0 ,-0,1e400, {"a" : 1} ,"]" , [] ] ')]).toEqual([
      '1.0',
      '-0',
      '1e400',
      '{"a" : 1}',
      '"]"',
      '[]',
    ]);
    expect([...sliceElements('[]')]).toEqual([]);
    expect(() => [...sliceElements('{"a":1}')]).toThrow(TypeError);
    expect(() => sliceMembers('[1]')).toThrow(TypeError);
  });

  it('cuts sixteen mebibytes in linear time', () => {
    const element = '{"id":9007199254740993,"name":"a \\"quoted\\" one","tags":[1,2,3]}';
    const count = Math.floor((16 * 1024 * 1024) / (element.length + 1));
    const text = `[${`${element},`.repeat(count - 1)}${element}]`;
    let seen = 0;
    for (const slice of sliceElements(text)) if (slice.length === element.length) seen++;
    expect(seen).toBe(count);
    const backslashes = `["${'\\\\'.repeat(4_000_000)}"]`;
    expect([...sliceElements(backslashes)]).toHaveLength(1);
  });
});

describe('one text per value', () => {
  it('sorts names, drops white space and keeps numbers as text', () => {
    expect(canonicalJson(' { "b" : [1.0, 1e2 , {"y":null,"x":"\\u0041"}], "a" : "\\/" , "b2":{} } ')).toBe(
      '{"a":"/","b":[1.0,1e2,{"x":"A","y":null}],"b2":{}}',
    );
    expect(canonicalJson('{"a":1,"a":2}')).toBe('{"a":2}');
    expect(canonicalJson('"x"')).toBe('"x"');
    expect(canonicalJson('[]')).toBe('[]');
    expect(canonicalJson('['.repeat(100_000) + ']'.repeat(100_000))).toHaveLength(200_000);
  });

  it('squeezes only what lies outside strings', () => {
    expect(squeeze(' { "a b" : [ 1 , "\\" , " ] } ')).toBe('{"a b":[1,"\\" , "]}');
    expect(squeeze('[1]')).toBe('[1]');
  });

  it('writes and reads every string', () => {
    for (const value of ['', 'a', '"', '\\', '\u0000', '\ud800', '😀', '\n'])
      expect(decodeString(encodeString(value))).toBe(value);
  });
});

/**
 * A cheap generator of valid JSON texts for the specs: every shape that has ever tripped a scanner, at a few microseconds
 * a text. The same seed gives the same text.
 */

const names = ['a', 'b', 'id', '', '__proto__', 'constructor', 'odd key', '\\u0061', 'x\\"y', '\\\\', 'é', '\\ud800'];
const strings = [
  '',
  'plain',
  '\\n',
  '\\"',
  '\\\\',
  '\\\\\\"',
  '[1,2]',
  '{\\"a\\":1}',
  '\\u0000',
  '\\uD83D',
  '😀',
  ' , : ',
];
const numbers = ['0', '-0', '1', '-9223372036854775808', '9007199254740993', '1e400', '0.1', '1.0', '1E-7', '12.50e+3'];
const spaces = ['', '', '', '', ' ', '\n', '\t', '\r\n  '];

class JsonTexts {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 1;
  }

  /** The next number in 0..below-1 (xorshift32). */
  below(below: number): number {
    let s = this.state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.state = s;
    return (s >>> 0) % below;
  }

  value(depth: number): string {
    const kind = this.below(depth > 0 ? 8 : 5);
    if (kind === 0) return this.of(numbers);
    if (kind === 1) return `"${this.of(strings)}"`;
    if (kind === 2) return this.of(['true', 'false', 'null']);
    if (kind === 3) return String(this.below(1_000_000) - 500_000);
    if (kind === 4) return `"${this.of(names)}${this.of(strings)}"`;
    return kind === 5 ? this.array(depth) : this.object(depth);
  }

  array(depth: number): string {
    let text = `[${this.space()}`;
    for (let i = this.below(4); i > 0; i--) text += this.spaced(this.value(depth - 1)) + (i > 1 ? ',' : '');
    return `${text}]`;
  }

  object(depth: number): string {
    let text = `{${this.space()}`;
    for (let i = this.below(4); i > 0; i--)
      text += `${this.spaced(`"${this.of(names)}"`)}:${this.spaced(this.value(depth - 1))}${i > 1 ? ',' : ''}`;
    return `${text}}`;
  }

  spaced(text: string): string {
    return this.space() + text + this.space();
  }

  space(): string {
    return this.of(spaces);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
