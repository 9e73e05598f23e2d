// Writes entries.csv: 10,000 made-up ledger rows, the same ones every time.
import { writeFileSync } from 'node:fs';

let seed = 20240229;
const next = (n) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed % n;
};
const memos = [
  'Invoice',
  'Refund',
  'Payroll',
  'Transfer, internal',
  'Fee "monthly"',
  'Card payment',
  'Dividend',
  'Reversal',
];
const rows = ['entry_id,account,amount,currency,booked_on,memo'];
for (let n = 1; n <= 10_000; n++) {
  const id = `25122920421${String(n).padStart(8, '0')}`;
  const account = `00${String(100_000 + next(4_000))}`;
  const amount = `${next(3) === 0 ? '-' : ''}${next(9_000) + 1}.${String(next(100)).padStart(2, '0')}`;
  const day = `2024-${String(next(12) + 1).padStart(2, '0')}-${String(next(28) + 1).padStart(2, '0')}`;
  const memo = `${memos[next(memos.length)]} ${n}`;
  rows.push(
    [
      id,
      account,
      amount,
      ['EUR', 'USD', 'GBP'][next(3)],
      day,
      /[",]/.test(memo) ? `"${memo.replaceAll('"', '""')}"` : memo,
    ].join(','),
  );
}
writeFileSync(new URL('./entries.csv', import.meta.url), `${rows.join('\n')}\n`);
