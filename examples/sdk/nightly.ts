// A fan-out every night: each shop's orders of the day are exported. A night that takes longer than a day is not run twice
// at once, and one that was missed, as the engine was down, is made up for.
import {
  definePipeline,
  http,
  merge,
  spawner,
  transform,
  text,
  type,
  type FanfoldClient,
  type Schedule,
} from '@fanfold/sdk';

export const exports = definePipeline(
  { name: 'nightly-exports', input: type<{ api: string }>(), timeout: '20h' },
  ({ input, add }) => {
    const shops = add('shops', http({ url: text`${input.api}/shops` }, {}, type<{ id: string }[]>()));
    const exported = add(
      'exported',
      spawner({
        items: shops.output.body,
        maxConcurrency: 20,
        input: ({ item }) => ({ api: input.api, shop: item.id }),
        node: ({ input: given }) =>
          http({ method: 'POST', url: text`${given.api}/exports`, body: { shop: given.shop } }, { timeout: '10m' }),
      }),
      shops,
    );
    const join = add('join', merge({ of: exported, tolerateChildFailures: ['FAILED'] }));
    return add('told', transform({ exported: join.output.succeeded, missing: join.output.failed }), join);
  },
);

/** Publishes it and gives it a schedule. @param cron five fields, or six with seconds in front */
export async function schedule(
  client: FanfoldClient,
  { name, cron, api }: { name: string; cron: string; api: string },
): Promise<Schedule> {
  await client.pipelines.publish(exports);
  return client.call('post', '/v1/schedules', {
    body: {
      name,
      pipeline: exports.name,
      cron,
      timeZone: 'Europe/Berlin',
      input: { api },
      overlap: 'SKIP',
      missed: 'RUN_ONCE',
    },
  });
}
