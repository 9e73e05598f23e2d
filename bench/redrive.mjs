// Many children fail for good at once, and all are redriven with one command: what the operator waits for, how soon they run
// again, and whether they re-join their parent with one verdict a round.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Engine, fanOut } from './support/engine.mjs';
import { asProgram } from './support/scenario.mjs';
import { rounded, secondsSince } from './support/statistics.mjs';

async function* run({ servers, build }, { mode, children, executors, rounds }) {
  const room = mkdtempSync(join(tmpdir(), 'fanfold-bench-redrive-'));
  const file = join(room, 'broken');
  const engine = await Engine.start({ servers, build, mode, executors });
  try {
    const { api } = engine;
    const dataset = await api.upload('rows', 'ndjson', Readable.from(rows(children)));
    await api.publish(
      fanOut('redrive', { type: 'HANDLER', config: { handler: 'refuse', input: { file } } }, { dataset: dataset.id }),
    );
    writeFileSync(file, '');
    const { id } = await api.start('redrive', {});
    const failed = await api.settled(id);
    if (failed.fanOuts[0].failed !== children) throw new Error(`not all failed: ${JSON.stringify(failed.fanOuts)}`);
    const figures = { answerMs: [], firstStartMs: [], settleSeconds: [], dryRunMs: [] };
    for (let round = 1; round <= rounds; round++) {
      if (round === rounds) rmSync(file);
      const dryAt = performance.now();
      const dry = await api.post(`/v1/executions/${id}/redrive`, { dryRun: true });
      figures.dryRunMs.push(performance.now() - dryAt);
      if (dry.matched !== children || dry.redriven !== 0) throw new Error(`a dry run gave ${JSON.stringify(dry)}`);
      const [{ at }] = await servers.query('select clock_timestamp()::text as at');
      const startedAt = performance.now();
      const { redriven } = await api.post(`/v1/executions/${id}/redrive`, { state: ['FAILED'] });
      figures.answerMs.push(performance.now() - startedAt);
      if (redriven !== children) throw new Error(`redriven ${redriven} of ${children}`);
      const settled = await api.settled(id);
      figures.settleSeconds.push(secondsSince(startedAt));
      const expected = round === rounds ? 'SUCCEEDED' : 'FAILED';
      if (settled.state !== expected) throw new Error(`round ${round} ended ${settled.state}`);
      const [first] = await servers.query(
        `select extract(epoch from min(started_at) - $1::timestamptz)::float8 * 1000 as ms
           from "${engine.namespace}".task where attempt = $2 and started_at > $1::timestamptz`,
        [at, round + 1],
      );
      figures.firstStartMs.push(first.ms);
    }
    const events = await servers.query(
      `select data from "${engine.namespace}".event where execution_id = $1 and kind = 'fanout_verdict' order by seq`,
      [id],
    );
    const told = events.map(({ data }) => JSON.parse(data)).map(({ round, verdict }) => `${round} ${verdict}`);
    yield {
      children,
      rounds,
      ...Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, all.map((one) => rounded(one, 1))])),
      verdicts: told,
      oneVerdictPerRound:
        told.length === rounds + 1 && new Set(told.map((one) => one.split(' ')[0])).size === told.length,
      fsck: engine.fsck(),
    };
  } finally {
    await engine.stop();
    rmSync(room, { recursive: true, force: true });
  }
}

function* rows(count) {
  for (let n = 0; n < count; n++) yield `{"n":${n}}\n`;
}

export const redrive = await asProgram(
  { name: 'redrive', options: { mode: ['rabbitmq'], children: 50_000, executors: 1, rounds: 2 }, run },
  import.meta,
);
