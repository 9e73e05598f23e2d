// The same work with other engines, in turns with ours and with the limit program on the same servers: one parent, N no-op
// children that are durable each on its own, each result stored, the parent completed when all are done.
import { measureLatency } from './latency.mjs';
import { runLimit } from './support/limit-program.mjs';
import { PeerPrograms, PEERS } from './support/peer-program.mjs';
import { asProgram } from './support/scenario.mjs';
import { median, rounded } from './support/statistics.mjs';
import { measure } from './throughput.mjs';

async function* run(setting, { peers: names, latency, executions, ...options }) {
  const unknown = names.filter((name) => !Object.hasOwn(PEERS, name));
  if (unknown.length > 0) throw new Error(`no peer ${unknown.join(', ')}; there are ${Object.keys(PEERS).join(', ')}`);
  const programs = new PeerPrograms(setting.servers);
  try {
    if (latency) yield* latencies(setting, programs, names, { executions, ...options });
    else for (const children of options.children) yield* rates(setting, programs, names, children, options);
  } finally {
    programs.remove();
  }
}

async function* rates({ servers, build, limit }, programs, names, children, { mode, executors, rounds, seconds }) {
  const ours = [];
  const limits = [];
  const theirs = Object.fromEntries(names.map((name) => [name, []]));
  const args = ['--children', children, '--seconds', seconds, '--workers', executors].map(String);
  for (let round = 0; round < rounds; round++) {
    ours.push(await measure({ servers, build, mode, executors }, children));
    if (limit) limits.push(await runLimit(limit, servers, { children, executors }));
    for (const name of names) {
      // One that could not run, or was not done in time, is not asked again: it has no figure at this size.
      if (theirs[name].some(({ completed }) => !completed)) continue;
      theirs[name].push(await programs.run(name, args));
    }
  }
  const settledPerSecond = median(ours.map((one) => one.settledPerSecond));
  const limitPerSecond = limits.length > 0 ? median(limits.map((one) => one.settledPerSecond)) : null;
  for (const name of names) {
    const last = theirs[name].at(-1);
    const counts = theirs[name].every(({ completed }) => completed);
    const peerPerSecond = last.error ? null : median(theirs[name].map((one) => one.settledPerSecond));
    yield {
      peer: name,
      ratioToLimit: limitPerSecond && rounded(settledPerSecond / limitPerSecond, 3),
      timesPeer: counts ? rounded(settledPerSecond / peerPerSecond, 2) : null,
      peerVersion: last.version ?? null,
      store: last.store ?? PEERS[name].store,
      children,
      settledPerSecond: rounded(settledPerSecond),
      limitPerSecond: limitPerSecond && rounded(limitPerSecond),
      peerPerSecond,
      peerChildren: last.children ?? null,
      stopped: !last.error && !counts,
      ...(last.error && { error: last.error }),
      executors,
      rounds,
      settledPerSecondByRound: ours.map((one) => rounded(one.settledPerSecond)),
      limitPerSecondByRound: limits.map((one) => one.settledPerSecond),
      peerPerSecondByRound: theirs[name].flatMap((one) => one.settledPerSecond ?? []),
      peerSettings: last.settings ?? null,
      fsck: worst(ours),
    };
  }
}

async function* latencies({ servers, build }, programs, names, { mode, executors, rounds, seconds, executions }) {
  const ours = [];
  const theirs = Object.fromEntries(names.map((name) => [name, []]));
  const args = ['--latency', '--executions', executions, '--seconds', seconds, '--workers', executors].map(String);
  for (let round = 0; round < rounds; round++) {
    ours.push(await measureLatency({ servers, build, mode }, { executions }));
    for (const name of names) if (!theirs[name].at(-1)?.error) theirs[name].push(await programs.run(name, args));
  }
  const of = (list, figure) => (list.every((one) => one[figure]) ? median(list.map((one) => one[figure])) : null);
  const p50Ms = of(ours, 'p50Ms');
  for (const name of names) {
    const last = theirs[name].at(-1);
    const peerP50Ms = of(theirs[name], 'p50Ms');
    yield {
      peer: name,
      timesPeer: peerP50Ms && rounded(p50Ms / peerP50Ms, 2),
      peerVersion: last.version ?? null,
      store: last.store ?? PEERS[name].store,
      children: 0,
      executions,
      p50Ms,
      p99Ms: of(ours, 'p99Ms'),
      peerP50Ms,
      peerP99Ms: of(theirs[name], 'p99Ms'),
      ...(last.error && { error: last.error }),
      executors,
      rounds,
      peerSettings: last.settings ?? null,
      fsck: worst(ours),
    };
  }
}

const worst = (rounds) => rounds.find(({ fsck }) => fsck !== 'clean')?.fsck ?? 'clean';

export const peers = await asProgram(
  {
    name: 'peers',
    compared: true,
    first: ['peer', 'ratioToLimit', 'timesPeer', 'peerVersion', 'store'],
    options: {
      children: [10_000],
      mode: ['rabbitmq'],
      peers: Object.keys(PEERS),
      executors: 1,
      rounds: Number(process.env.BENCH_ROUNDS || 3),
      seconds: 120,
      latency: 0,
      executions: 100,
    },
    run,
  },
  import.meta,
);
