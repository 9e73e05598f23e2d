import { occurrenceDefects, Occurrences } from './occurrences.js';

const next = (cron: string, timeZone: string, from: string, count: number): string[] => {
  const occurrences = new Occurrences(cron, timeZone);
  const found: string[] = [];
  for (let at = occurrences.after(new Date(from)); at !== null && found.length < count; at = occurrences.after(at))
    found.push(at.toISOString().slice(0, 16));
  return found;
};

describe('occurrences', () => {
  it.each([
    ['*/1 * * * * *', 'UTC', ['2030-01-01T00:00', '2030-01-01T00:00']],
    ['0 9 * * MON-FRI', 'America/New_York', ['2030-01-01T14:00', '2030-01-02T14:00', '2030-01-03T14:00']],
    ['0 0 L * *', 'UTC', ['2030-01-31T00:00', '2030-02-28T00:00']],
    ['30 4 29 2 *', 'Asia/Kolkata', ['2032-02-28T23:00', '2036-02-28T23:00']],
    ['0 0 30 2 *', 'UTC', []],
  ])('of %s in %s', (cron, timeZone, expected) => {
    expect(next(cron, timeZone, '2030-01-01T00:00:00Z', Math.max(1, expected.length))).toEqual(expected);
  });

  it('that do not exist when clocks go forward are run once at the next instant that does', () => {
    const berlin = '2030-03-30T12:00:00Z';
    expect(next('30 2 * * *', 'Europe/Berlin', berlin, 2)).toEqual(['2030-03-31T01:00', '2030-04-01T00:30']);
    expect(next('15,45 2 * * *', 'Europe/Berlin', berlin, 3)).toEqual([
      '2030-03-31T01:00',
      '2030-04-01T00:15',
      '2030-04-01T00:45',
    ]);
    expect(next('*/30 * * * *', 'Europe/Berlin', '2030-03-31T00:00:00Z', 3)).toEqual([
      '2030-03-31T00:30',
      '2030-03-31T01:00',
      '2030-03-31T01:30',
    ]);
  });

  it('that happen twice when clocks go back are run once; every so often goes on through both hours', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2030-10-26T12:00:00Z', 2)).toEqual([
      '2030-10-27T00:30',
      '2030-10-28T01:30',
    ]);
    expect(next('0 * * * *', 'Europe/Berlin', '2030-10-26T23:30:00Z', 3)).toEqual([
      '2030-10-27T00:00',
      '2030-10-27T01:00',
      '2030-10-27T02:00',
    ]);
  });

  it('between two moments are all of them, or the newest thousand', () => {
    const at = (text: string) => new Date(`2030-01-01T${text}Z`);
    const each = new Occurrences('*/10 * * * *', 'UTC');
    expect(each.between(at('00:10:00'), at('00:30:00'))).toEqual({
      due: [at('00:10:00'), at('00:20:00'), at('00:30:00')],
      more: false,
    });
    expect(each.between(at('00:11:00'), at('00:19:59'))).toEqual({ due: [], more: false });
    const seconds = new Occurrences('* * * * * *', 'UTC').between(at('00:00:00'), at('23:59:59'));
    expect(seconds.more).toBe(true);
    expect(seconds.due).toHaveLength(1_000);
    expect(seconds.due.at(-1)).toEqual(at('23:59:59'));
    expect(seconds.due[0]).toEqual(at('23:43:20'));
  });
});

describe('what cannot be read', () => {
  it.each([
    ['61 * * * *', 'UTC', ['cron']],
    ['* * * *', 'UTC', ['cron']],
    ['* * * * * * *', 'UTC', ['cron']],
    ['', 'UTC', ['cron']],
    ['2030-01-01T00:00:00', 'UTC', ['cron']],
    [`${'1,'.repeat(200)}1 * * * *`, 'UTC', ['cron']],
    ['* * * * *', 'Mars/Base', ['timeZone']],
    ['* * * * *', '', ['timeZone']],
    ['* * * * *', '+01:00', ['timeZone']],
    ['bogus', 'Mars/Base', ['timeZone', 'cron']],
    ['0 3 * * *', 'Europe/Berlin', []],
    ['@daily', 'UTC', []],
  ])('in %s, %s is named', (cron, timeZone, paths) => {
    expect(occurrenceDefects(cron, timeZone).map(({ path }) => path)).toEqual(paths);
  });
});
