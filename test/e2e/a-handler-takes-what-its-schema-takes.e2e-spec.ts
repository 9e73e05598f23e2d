import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FanfoldClient, type LogLine, type StreamFrame } from '@app/sdk';
import { room } from '../support/engine-process.js';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

const urlOf = (path: string) => pathToFileURL(resolve(__dirname, '../..', path)).href;

const handlers = (): string => {
  const path = join(room(), `checked-${process.pid}.mjs`);
  writeFileSync(
    path,
    `import { defineHandler } from '${urlOf('dist/libs/sdk/src/index.js')}';
import { z } from '${urlOf('node_modules/zod/index.js')}';
const Entry = z.object({ id: z.bigint(), lines: z.array(z.object({ amount: z.number() })) });
export const post = defineHandler(Entry, ({ input, progress }) => {
  for (let done = 0; done <= 5_000; done++) progress(done, 5_000);
  return { posted: input.id + 1n, lines: input.lines.length };
});
`,
  );
  return path;
};

inModes(
  ['standalone', 'services over RabbitMQ'],
  'a handler with a schema',
  (stage) => {
    const started = async (client: FanfoldClient, input: unknown) => {
      const name = stage.name();
      await client.pipelines.publish({ name, nodes: [{ id: 'post', type: 'HANDLER', config: { handler: 'post' } }] });
      return (await client.pipelines.start(name, { input })).id;
    };

    it('sees every digit, gives every digit back, and tells its progress', async () => {
      const { url, key } = stage.engine.api;
      const client = new FanfoldClient({ url, apiKey: key });
      const id = await started(client, { id: 9_007_199_254_740_993n, lines: [{ amount: 1.5 }] });
      const frames: StreamFrame[] = [];
      for await (const frame of client.executions.stream(id, { logs: true })) frames.push(frame);
      expect(await client.executions.settled(id)).toMatchObject({
        state: 'SUCCEEDED',
        output: { posted: 9_007_199_254_740_994n, lines: 1 },
      });
      // An executor writes lines a few times a second, so some may come after the end.
      const told = await eventually(async () => {
        const lines: LogLine[] = [];
        for await (const line of client.executions.logs(id)) lines.push(line);
        const all = lines.map(({ message, fields }) => [message, fields]);
        expect(all.at(-1)).toEqual(['progress', { done: 5_000, total: 5_000 }]);
        return all;
      });
      expect(told[0]).toEqual(['progress', { done: 0, total: 5_000 }]);
      // Five thousand calls in an instant are a few lines.
      expect(told.length).toBeLessThan(20);
      const streamed = frames.flatMap((frame) => (frame.event === 'log' ? [frame.data.n] : []));
      expect(streamed).toEqual([...new Set(streamed)].sort((a, b) => a - b));
    });

    it('fails for good, and says where, when its input is something else', async () => {
      const { url, key } = stage.engine.api;
      const client = new FanfoldClient({ url, apiKey: key });
      const id = await started(client, { id: 9_007_199_254_740_993n, lines: [{ amount: 1 }, { amount: 'much' }] });
      const { state, error, nodes } = await client.executions.settled(id);
      expect({ state, error, attempt: nodes[0]!.attempt }).toMatchObject({
        state: 'FAILED',
        error: {
          class: 'PERMANENT',
          code: 'HANDLER.INPUT_INVALID',
          message: expect.stringContaining('input.lines[1].amount') as unknown,
        },
        attempt: 1,
      });
    });
  },
  async () => ({ executors: 1, executorEnv: { FANFOLD_HANDLERS: handlers() } }),
);
