// Two fan-outs in a row: the second has one child for each child of the first that succeeded, and is given what that one
// brought. Nothing is held in memory between them, so the first may have a million children.
import {
  definePipeline,
  http,
  merge,
  resultItems,
  spawner,
  transform,
  text,
  type,
  type Execution,
  type FanfoldClient,
} from '@fanfold/sdk';

interface Customer {
  readonly id: number;
}

interface Score {
  readonly customer: number;
  readonly score: number;
}

export const letters = definePipeline(
  { name: 'letters', input: type<{ api: string; customers: Customer[] }>() },
  ({ input, add }) => {
    const scored = add(
      'scored',
      spawner({
        items: input.customers,
        input: ({ item }) => ({ api: input.api, id: item.id }),
        node: ({ input: given }) =>
          http({ url: text`${given.api}/scores/${given.id}` }, { retry: { maxAttempts: 2 } }, type<Score>()),
      }),
    );
    const known = add('known', merge({ of: scored, tolerateChildFailures: ['FAILED'] }));
    const written = add(
      'written',
      spawner({
        items: resultItems(scored),
        input: ({ item }) => ({ api: input.api, score: item.output.body }),
        node: ({ input: given }) => http({ method: 'POST', url: text`${given.api}/letters`, body: given.score }),
      }),
      known,
    );
    const sent = add('sent', merge({ of: written }));
    return add('told', transform({ unknown: known.output.failed, letters: sent.output.succeeded }), sent);
  },
);

export async function write(client: FanfoldClient, api: string, customers: Customer[]): Promise<Execution> {
  await client.pipelines.publish(letters);
  const { id } = await client.pipelines.start(letters, { input: { api, customers } });
  return client.executions.settled(id);
}
