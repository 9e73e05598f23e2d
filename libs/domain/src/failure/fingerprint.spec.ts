import { fingerprint, fnv1a64, normalizeMessage } from './fingerprint.js';

describe('a fingerprint', () => {
  const failure = {
    class: 'PERMANENT',
    code: 'HTTP.STATUS',
    status: 422,
    message: 'row 17 of "a.csv" is unknown',
  } as const;

  it('is the same for one cause met by different items', () => {
    const other = { ...failure, message: 'row 9,100 of "b.csv" is unknown', attempt: 3, nodeId: 'call', body: 'x' };
    expect(fingerprint(other)).toBe(fingerprint(failure));
    expect(fingerprint(failure)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('differs by class, code, status and wording', () => {
    const all = [
      failure,
      { ...failure, class: 'TRANSIENT' as const },
      { ...failure, code: 'HTTP.OTHER' },
      { ...failure, status: 400 },
      { ...failure, message: 'row 17 of "a.csv" is forbidden' },
    ];
    expect(new Set(all.map(fingerprint)).size).toBe(all.length);
  });

  it('leaves out ids, quoted parts and numbers but no words', () => {
    expect(normalizeMessage("can't find 'x' for 3f2504e0-4f89-41d3-9a0c-0305e82c3301 after 1.5 s at 10:32")).toBe(
      "can't find <text> for <id> after <n> s at <n>",
    );
  });

  it('is FNV-1a as published', () => {
    expect(fnv1a64('')).toBe('cbf29ce484222325');
    expect(fnv1a64('a')).toBe('af63dc4c8601ec8c');
    expect(fnv1a64('foobar')).toBe('85944171f73967e8');
  });
});
