// What a child costs when there are more of them: rate, bytes stored and bytes of write-ahead log a child, at growing sizes,
// each on a fresh engine. Ratios are to the smallest size.
import { asProgram } from './support/scenario.mjs';
import { median, rounded } from './support/statistics.mjs';
import { measure } from './throughput.mjs';

async function* run({ servers, build }, { mode, children: sizes, executors, rounds }) {
  const all = new Map(sizes.map((children) => [children, []]));
  // Sizes take turns, so that a machine that gets slower slows them all.
  for (let round = 0; round < rounds; round++)
    for (const children of sizes) all.get(children).push(await measure({ servers, build, mode, executors }, children));
  const of = (children, figure) => median(all.get(children).map((one) => one[figure]));
  for (const children of sizes) {
    const toFirst = (figure) => rounded(of(children, figure) / of(sizes[0], figure), 3);
    yield {
      children,
      settledPerSecond: rounded(of(children, 'settledPerSecond')),
      bytesPerChild: rounded(of(children, 'bytesPerChild')),
      walBytesPerChild: rounded(of(children, 'walBytesPerChild')),
      first: sizes[0],
      settledPerSecondToFirst: toFirst('settledPerSecond'),
      bytesPerChildToFirst: toFirst('bytesPerChild'),
      walBytesPerChildToFirst: toFirst('walBytesPerChild'),
      executors,
      rounds,
      settledPerSecondByRound: all.get(children).map((one) => rounded(one.settledPerSecond)),
      cpuMicrosecondsPerChild: all.get(children).at(-1).cpuMicrosecondsPerChild,
      fsck: all.get(children).find(({ fsck }) => fsck !== 'clean')?.fsck ?? 'clean',
    };
  }
}

export const growth = await asProgram(
  {
    name: 'growth',
    options: { children: [10_000, 100_000, 1_000_000], mode: ['rabbitmq'], executors: 1, rounds: 1 },
    run,
  },
  import.meta,
);
