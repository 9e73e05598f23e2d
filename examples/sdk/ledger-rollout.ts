// A ledger migration that begins small: ten entries, then a fifth of them, then all, each stage only when what was released
// before has settled and few enough of it failed. A stage that fails pauses the execution for somebody to look.
import {
  datasetItems,
  definePipeline,
  http,
  merge,
  spawner,
  type,
  type Execution,
  type FanfoldClient,
} from '@fanfold/sdk';

/** A row of the file; cells of a CSV stay the text they are. */
interface Entry {
  readonly entry_id: string;
  readonly account: string;
  readonly amount: string;
}

export const migration = definePipeline(
  { name: 'ledger-migration', input: type<{ dataset: string; ledger: string }>() },
  ({ input, add }) => {
    const entries = add(
      'entries',
      spawner({
        items: datasetItems(input.dataset, type<Entry>()),
        itemKey: ({ item }) => item.entry_id,
        rollout: [{ items: 10, maxFailureRatio: 0.1 }, { ratio: 0.2, maxFailureRatio: 0.05 }, { ratio: 1 }],
        input: ({ item }) => ({ ledger: input.ledger, entry: item }),
        node: ({ input: given }) =>
          http(
            { method: 'POST', url: given.ledger, body: given.entry },
            { retry: { maxAttempts: 4, initialDelay: '100ms' } },
          ),
      }),
    );
    return add(
      'join',
      merge({ of: entries, tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.05 } }),
    );
  },
);

/**
 * Uploads the file and migrates it. Where a stage stops, `decide` is asked: go on with the next stage, or leave it there.
 * @param csv with a header row
 */
export async function migrate(
  client: FanfoldClient,
  { csv, ledger, decide }: { csv: string; ledger: string; decide: (why: string) => boolean },
): Promise<Execution> {
  await client.pipelines.publish(migration);
  const dataset = await client.datasets.upload('entries', 'csv', csv);
  const { id } = await client.pipelines.start(migration, { input: { dataset: dataset.id, ledger } });
  for await (const frame of client.executions.stream(id)) {
    if (frame.event !== 'state' || frame.data.type !== 'execution.paused') continue;
    const { detail } = await client.executions.why(id);
    if (decide(detail)) await client.executions.resume(id);
    else await client.executions.cancel(id);
  }
  return client.executions.get(id);
}
