import { progressLines } from './progress.js';

const told = (calls: (progress: (at: number, done: number, total?: number) => void) => void) => {
  const lines: unknown[] = [];
  let time = 0;
  const progress = progressLines(
    (message, fields) => lines.push({ message, ...fields }),
    () => time,
  );
  calls((at, done, total) => {
    time = at;
    progress(done, total);
  });
  return lines;
};

describe('progress', () => {
  it('is told at first, then at most once a second, and at its end once', () => {
    const lines = told((progress) => {
      for (let at = 0; at < 2_500; at += 100) progress(at, at, 2_450);
      progress(2_500, 2_450, 2_450);
      progress(9_000, 2_450, 2_450);
    });
    expect(lines).toEqual([0, 1_000, 2_000, 2_450].map((done) => ({ message: 'progress', done, total: 2_450 })));
  });

  it('of a day takes less than half the lines an attempt has', () => {
    const lines = told((progress) => {
      for (let second = 0; second < 86_400; second++) progress(second * 1_000, second);
    });
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThan(500);
    expect(lines[0]).toEqual({ message: 'progress', done: 0 });
  });
});
