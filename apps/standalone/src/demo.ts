import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, loadConfig, sleep, SystemClock } from '@app/runtime';
import { EngineClient, type ExecutionView } from './demo/engine-client.js';
import { startFlakyLedger } from './demo/flaky-ledger.js';
import { ProgressBar } from './demo/progress-bar.js';
import { startEngine } from './engine.js';

interface FailureGroup {
  readonly code: string;
  readonly status?: number;
  readonly count: number;
  readonly sample: { readonly error: { readonly message: string } | null } | null;
}

const say = (line = ''): void => void process.stdout.write(`${line}\n`);
const clock = new SystemClock();
const dataDir = mkdtempSync(join(tmpdir(), 'fanfold-demo-'));
const environment = childEnvironment({
  PORT: '0',
  HOST: '127.0.0.1',
  FANFOLD_DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  DATABASE_URL: undefined,
  DATABASE_DIRECT_URL: undefined,
  RABBITMQ_URL: undefined,
  FANFOLD_API_KEY: undefined,
  EXECUTOR_HTTP_ALLOW: '127.0.0.0/8',
});

say('Fanfold demo: 10,000 ledger rows, one durable child execution each, against a flaky destination.');
const ledger = await startFlakyLedger();
const engine = await startEngine(loadConfig('standalone', environment), { executorEnvironment: environment });
const api = new EngineClient(engine.url, engine.apiKey);
engine.shutdown
  .step('ledger', () => ledger.close())
  .step('data folder', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
say(`  engine at ${engine.url} on its own Postgres (throw-away data folder)`);

const csv = readFileSync(new URL('../../../../examples/ledger/entries.csv', import.meta.url));
const dataset = await api.call<{ id: string; itemCount: number }>(
  'POST',
  '/v1/datasets?name=entries&format=csv',
  csv,
  'text/csv',
);
say(`  uploaded entries.csv: ${dataset.itemCount} rows`);
await api.call('PUT', '/v1/destinations/ledger', { match: { host: new URL(ledger.url).host }, maxConcurrency: 50 });
await api.call('POST', '/v1/pipelines', {
  name: 'ledger-migration',
  nodes: [
    {
      id: 'entries',
      type: 'SPAWNER',
      config: {
        items: { dataset: '${input.dataset}' },
        itemKey: '${item.entry_id}',
        node: {
          type: 'HTTP',
          config: { method: 'POST', url: `${ledger.url}/entries`, body: '${item}' },
          retry: { maxAttempts: 5, initialDelay: '250ms' },
        },
      },
    },
    {
      id: 'join',
      type: 'MERGE',
      config: { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.005 } },
    },
  ],
  edges: [{ from: 'entries', to: 'join' }],
});
say('  at most 50 calls at once to the ledger; up to 0.5 % of the rows may fail\n');

const startedAt = clock.monotonic();
const { id } = await api.call<{ id: string }>('POST', '/v1/pipelines/ledger-migration/executions', {
  input: { dataset: dataset.id },
});
const first = await watch(id, 1);
const seconds = (clock.monotonic() - startedAt) / 1_000;
const fanOut = first.fanOuts[0]!;
const settled = fanOut.succeeded + fanOut.failed;
say(`\nFirst verdict: ${first.state}${first.error ? ` (${first.error.message})` : ''}`);
say(
  `  settled ${settled} of ${fanOut.total} children in ${seconds.toFixed(1)} s, ${Math.round(settled / seconds)} children/s`,
);
say(`  succeeded ${fanOut.succeeded}, failed ${fanOut.failed}, calls retried ${ledger.calls() - settled}`);
const { items: groups } = await api.call<{ items: FailureGroup[] }>('GET', `/v1/executions/${id}/failures`);
for (const g of groups)
  say(
    `  ${String(g.count).padStart(5)} × ${g.code}${g.status ? ` ${g.status}` : ''}  ${g.sample?.error?.message ?? ''}`,
  );

say('\nThe ledger reopens the closed accounts; what failed is retried, what succeeded is not.\n');
ledger.reopenAccounts();
const before = ledger.calls();
await api.call('POST', `/v1/executions/${id}/redrive`, { state: ['FAILED'] });
const second = await watch(id, 2);
say(`\nSecond verdict: ${second.state}`);
say(
  `  succeeded ${second.fanOuts[0]!.succeeded}, failed ${second.fanOuts[0]!.failed}; ${ledger.calls() - before} further calls for ${fanOut.failed} rows`,
);

const ok =
  first.state === 'FAILED' && second.state === 'SUCCEEDED' && second.fanOuts[0]!.succeeded === dataset.itemCount;
await engine.shutdown.drain('demo over');
process.exit(ok ? 0 : 1);

/** Shows progress until the verdict of that round. */
async function watch(execution: string, round: number): Promise<ExecutionView> {
  const bar = new ProgressBar(process.stdout, () => clock.monotonic());
  for (;;) {
    const view = await api.execution(execution);
    const current = view.fanOuts[0];
    const over =
      ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(view.state) && current !== undefined && current.round >= round;
    if (current) bar.show(current, over);
    if (over) return view;
    await sleep(100);
  }
}
