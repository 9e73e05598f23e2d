// A batch of prompts under the two limits that providers have: so many requests, and so many tokens. Both hold over all
// executors and through restarts; what does not fit waits in the database.
import { definePipeline, handlersOf, merge, spawner, type, type FanfoldClient, type ResultLine } from '@fanfold/sdk';
import type * as handlers from './llm-handlers.js';

const handler = handlersOf<typeof handlers>();

interface Question {
  readonly id: string;
  readonly text: string;
  /** What it will cost: an estimate, as before every call of a model. */
  readonly tokens: number;
}

export const batch = definePipeline(
  { name: 'llm-batch', input: type<{ url: string; model: string; questions: Question[] }>() },
  ({ input, add }) => {
    const asked = add(
      'asked',
      spawner({
        items: input.questions,
        itemKey: ({ item }) => item.id,
        input: ({ item }) => ({ ask: { url: input.url, model: input.model, text: item.text }, tokens: item.tokens }),
        node: ({ input: given }) =>
          handler('complete', given.ask, {
            timeout: '2m',
            retry: { maxAttempts: 5, initialDelay: '500ms' },
            destinations: ['llm', { name: 'llm-tokens', cost: given.tokens }],
          }),
      }),
    );
    return add('join', merge({ of: asked, tolerateChildFailures: ['FAILED'] }));
  },
);

/** @returns a line for each question, in their order */
export async function ask(
  client: FanfoldClient,
  input: { url: string; model: string; questions: Question[] },
  limits: { requestsPerSecond: number; tokensPerSecond: number },
): Promise<ResultLine[]> {
  const put = (name: string, limit: number) =>
    client.call('put', '/v1/destinations/{name}', {
      params: { path: { name } },
      body: { rate: { limit, per: '1s' } },
    });
  await put('llm', limits.requestsPerSecond);
  await put('llm-tokens', limits.tokensPerSecond);
  await client.pipelines.publish(batch);
  const { id } = await client.pipelines.start(batch, { input });
  await client.executions.settled(id);
  const lines: ResultLine[] = [];
  for await (const line of client.executions.results(id)) lines.push(line);
  return lines;
}
