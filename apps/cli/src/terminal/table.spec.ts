import { tableOf } from './table.js';

describe('a table', () => {
  it('has its numbers to the right and its text to the left', () => {
    const rows = [
      { name: 'a', count: 5 },
      { name: 'longer', count: 1_000 },
    ];
    const columns = [
      ['NAME', ({ name }: { name: string }) => name],
      ['COUNT', ({ count }: { count: number }) => count],
    ] as const;
    expect(tableOf<(typeof rows)[number]>(rows, columns)).toBe('NAME    COUNT\na           5\nlonger   1000\n');
  });

  it('shows nothing as a dash, and lets no cell break its line or move the cursor', () => {
    expect(tableOf([{ text: 'a\nb\u001b[2Jc' }, { text: null }], [['TEXT', ({ text }) => text]])).toBe(
      'TEXT\na b [2Jc\n–\n',
    );
  });
});
