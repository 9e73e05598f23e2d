import { exactJson } from '../handlers/exact-json.js';
import { exactText, parseExact } from './exact-numbers.js';

describe('exact numbers', () => {
  it('come as bigint only where a number would round', () => {
    expect(
      parseExact('{"a": 9007199254740993, "b": 9007199254740991, "c": -12345678901234567890, "d": [1.5, 1e3]}'),
    ).toEqual({ a: 9007199254740993n, b: 9007199254740991, c: -12345678901234567890n, d: [1.5, 1000] });
    expect(parseExact('9007199254740993')).toBe(9007199254740993n);
    expect(parseExact('0.12345678901234567')).toBe(0.12345678901234567);
  });

  it('are not looked for in strings and names', () => {
    const text = '{"9007199254740993": "\\"9007199254740993", "x\\\\": ["exact:9007199254740993", 9007199254740993]}';
    expect(parseExact(text)).toEqual({
      '9007199254740993': '"9007199254740993',
      'x\\': ['exact:9007199254740993', 9007199254740993n],
    });
  });

  it('change nothing else: a name like __proto__ is data, and what is no JSON is told', () => {
    const value = parseExact('{"__proto__": {"admin": 9007199254740993}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value.admin).toBeUndefined();
    expect(() => parseExact('{"a": 9007199254740993')).toThrow(SyntaxError);
    expect(() => parseExact('["9007199254740993')).toThrow(SyntaxError);
  });

  it('go out digit for digit, and texts as they are', () => {
    const value = { id: 9007199254740993n, text: 'exact:0', raw: exactJson('{"n":1.10}'), list: [-1n, undefined] };
    expect(exactText(value)).toBe('{"id":9007199254740993,"text":"exact:0","raw":{"n":1.10},"list":[-1,null]}');
    expect(parseExact(exactText(12345678901234567890n))).toBe(12345678901234567890n);
    expect(() => exactText(() => 1)).toThrow('a function has no JSON');
  });
});
