import { applyErrorRules, classifyStatus } from './classify.js';
import { parseRetryAfter } from './retry-after.js';

describe('a status that is no success', () => {
  const all = (statuses: number[], retryAfterMs: number | null) =>
    new Set(statuses.map((status) => classifyStatus(status, { retryAfterMs })));

  it('is permanent, transient or snoozed as published', () => {
    expect(all([400, 401, 403, 404, 409, 410, 422, 451, 301, 304, 204, 501, 505], null)).toEqual(
      new Set(['permanent']),
    );
    expect(all([408, 425, 500, 502, 503, 504, 507, 599], null)).toEqual(new Set(['transient']));
    expect(all([429], null)).toEqual(new Set(['snoozed']));
  });

  it('heeds Retry-After on 429 and 503 only', () => {
    expect(all([429, 503], 5_000)).toEqual(new Set(['snoozed']));
    expect(all([500, 502, 504, 408], 5_000)).toEqual(new Set(['transient']));
    expect(all([400, 404], 5_000)).toEqual(new Set(['permanent']));
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2030, 0, 31, 8, 0, 0);
  it.each<[string | null, number | null]>([
    ['5', 5_000],
    [' 120 ', 120_000],
    ['0', 0],
    ['Thu, 31 Jan 2030 08:00:05 GMT', 5_000],
    ['Thursday, 31-Jan-30 08:01:00 GMT', 60_000],
    ['Thu Jan 31 08:00:10 2030', 10_000],
    ['Fri Feb  1 08:00:00 2030', 86_400_000],
    ['Thu, 31 Jan 2030 07:59:59 GMT', null],
    ['Thu, 31 Jan 2030 08:00:00 GMT', null],
    ['Sat, 31 Feb 2030 08:00:00 GMT', null],
    ['Thursday, 31-Jan-99 08:01:00 GMT', null],
    ['', null],
    [null, null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['5 seconds', null],
    ['soon', null],
    ['2030-01-31T08:00:05Z', null],
  ])('%j means %j ms', (header, ms) => expect(parseRetryAfter(header, now)).toBe(ms));
});

describe('the error rules of a node', () => {
  const rules = [
    { status: 409, match: 'exists', treatAs: 'SUCCEEDED' },
    { status: 409, treatAs: 'TRANSIENT' },
    { code: 'HTTP.TLS', treatAs: 'PERMANENT' },
  ] as const;
  it('let the first decide whose every part agrees', () => {
    expect(applyErrorRules(rules, { status: 409, code: 'HTTP.STATUS', message: 'it exists' })).toBe('SUCCEEDED');
    expect(applyErrorRules(rules, { status: 409, code: 'HTTP.STATUS', message: 'busy' })).toBe('TRANSIENT');
    expect(applyErrorRules(rules, { code: 'HTTP.TLS', message: 'x' })).toBe('PERMANENT');
    expect(applyErrorRules(rules, { status: 500, code: 'HTTP.STATUS', message: 'x' })).toBeNull();
    expect(applyErrorRules([], { code: 'X', message: 'x' })).toBeNull();
  });
});
