import { parseDuration } from './duration.js';

describe('a duration', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['30d', 2_592_000_000],
    ['0s', 0],
    ['PT5M', 300_000],
    ['P1DT2H', 93_600_000],
    ['PT0.25S', 250],
    ['P2W', 1_209_600_000],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each([
    '',
    '5',
    's',
    '-5s',
    '+5s',
    '1.5h',
    '5 m',
    ' 5m',
    '5M',
    'P',
    'PT',
    'P1DT',
    'P1Y',
    'P1M',
    '-PT5M',
    'PT1.5H',
    '1e3s',
    'NaNs',
    '٣s',
    '999999999999999d',
  ])('%j is refused', (text) => expect(parseDuration(text)).toBeNull());
});
