// A handler that never gives the event loop back, for far longer than the lease: its task must be neither given away nor
// left without its time-out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Engine } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

const LEASE_MS = 5_000;
const HEARTBEAT_MS = 1_000;
const TIMEOUT = '3s';

async function* run({ servers, build }, { mode, seconds }) {
  const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-blocked-'));
  const env = { EXECUTOR_LEASE_MS: String(LEASE_MS), EXECUTOR_HEARTBEAT_MS: String(HEARTBEAT_MS) };
  const engine = await Engine.start({ servers, build, mode, env });
  try {
    const without = await block(engine.api, 'blocked', { seconds, file: join(room, 'without') });
    const timed = await block(engine.api, 'blocked-timed', { seconds, file: join(room, 'timed'), timeout: TIMEOUT });
    yield {
      children: 0,
      spinSeconds: seconds,
      leaseMs: LEASE_MS,
      calls: without.calls,
      state: without.state,
      settledSeconds: without.seconds,
      timeout: TIMEOUT,
      timeoutCalls: timed.calls,
      timeoutState: timed.state,
      timeoutClass: timed.error?.class ?? null,
      timeoutSeconds: timed.seconds,
      stateAfterLateResult: timed.lateState,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
    rmSync(room, { recursive: true, force: true });
  }
}

const block = async (api, name, { seconds, file, timeout }) => {
  const input = { file, milliseconds: seconds * 1_000 };
  await api.publish({
    name,
    nodes: [
      {
        id: 'only',
        type: 'HANDLER',
        config: { handler: 'spin', input },
        retry: { maxAttempts: 1 },
        ...(timeout && { timeout }),
      },
    ],
    edges: [],
  });
  const startedAt = performance.now();
  const { id } = await api.start(name, {});
  const { state, error } = await api.settled(id);
  const settledSeconds = rounded(secondsSince(startedAt), 1);
  // The handler goes on, whatever has been decided; what it returns in the end must change nothing.
  const count = (word) => readFileSync(file, 'utf8').split(`${word} `).length - 1;
  while (count('end') < count('begin')) await sleep(100);
  await sleep(2_000);
  return { calls: count('begin'), state, error, seconds: settledSeconds, lateState: (await api.execution(id)).state };
};

export const blocked = await asProgram(
  { name: 'blocked', options: { seconds: 30, mode: ['rabbitmq'] }, run },
  import.meta,
);
