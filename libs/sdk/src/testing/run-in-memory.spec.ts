import { z } from 'zod';
import { defineHandler } from '../handlers/handler.js';
import { PermanentError, TransientError } from '../handlers/handler-error.js';
import { after, definePipeline } from '../pipeline/define-pipeline.js';
import { datasetItems, merge, resultItems, spawner } from '../pipeline/fan-out-kinds.js';
import { handlersOf, http, pipelineNode, shell, signal, transform, wait } from '../pipeline/node-kinds.js';
import { cel, text } from '../pipeline/reference.js';
import { type } from '../pipeline/type.js';
import { NotInMemory } from './memory-performer.js';
import { runInMemory } from './run-in-memory.js';

const minute = 60_000;
const charge = defineHandler(z.object({ id: z.bigint().or(z.number()), cents: z.number() }), ({ input, attempt }) => {
  if (input.cents < 0) throw new PermanentError('less than nothing', { code: 'CENTS.NEGATIVE' });
  if (input.cents === 13 && attempt < 3) throw new Error('busy');
  if (input.cents === 29 && attempt === 1) throw new TransientError({ retryAfter: '5m', destination: 'bank' });
  return { charged: input.id };
});
const handlers = { charge };
const handler = handlersOf<typeof handlers>();
type Row = { id: number | bigint; cents: number };

const bills = (tolerated: number) =>
  definePipeline({ name: 'bills', input: type<{ rows: Row[] }>() }, ({ input, add }) => {
    const rows = add(
      'rows',
      spawner({ items: input.rows, itemKey: ({ item }) => item.id, node: ({ item }) => handler('charge', item) }),
    );
    const join = add(
      'join',
      merge({
        of: rows,
        results: 'INLINE',
        tolerateChildFailures: ['FAILED'],
        failureTolerance: { maxFailureCount: tolerated },
      }),
    );
    return add('told', transform({ ok: join.output.succeeded, failed: join.output.failed }), join);
  });

describe('a pipeline in memory', () => {
  it('retries, waits and judges as the engine does, on virtual time', async () => {
    const rows = [
      { id: 9_007_199_254_740_993n, cents: 1 },
      { id: 2, cents: -1 },
      { id: 3, cents: 13 },
      { id: 4, cents: 29 },
    ];
    const run = await runInMemory(bills(1), { input: { rows }, handlers });
    expect(run).toMatchObject({ state: 'SUCCEEDED', output: { ok: 3, failed: 1 } });
    const children = run.children('rows');
    expect(children[0]).toMatchObject({ key: '9007199254740993', output: { charged: 9_007_199_254_740_993n } });
    expect(children[1]).toMatchObject({
      state: 'FAILED',
      error: { class: 'PERMANENT', code: 'CENTS.NEGATIVE', attempt: 1 },
    });
    // 10 s and 20 s: the default back-off without its jitter.
    expect(children[2]!.attempts.map(({ startedMs, outcome }) => [startedMs, outcome])).toEqual([
      [0, 'FAILED'],
      [10_000, 'FAILED'],
      [30_000, 'SUCCEEDED'],
    ]);
    expect(children[3]!.attempts).toMatchObject([
      { outcome: 'SNOOZED' },
      { outcome: 'SUCCEEDED', startedMs: 5 * minute },
    ]);
    expect(run.elapsedMs).toBe(5 * minute);
  });

  it('fails where the tolerance is exceeded, and says which limit', async () => {
    const rows = [1, 2].map((id) => ({ id, cents: -1 }));
    const run = await runInMemory(bills(1), { input: { rows }, handlers });
    expect(run).toMatchObject({
      state: 'FAILED',
      error: { class: 'TOLERANCE_EXCEEDED', limit: 'MAX_FAILURE_COUNT', failed: 2, nodeId: 'join' },
    });
    expect(run.node('told').state).not.toBe('SUCCEEDED');
    const twice = await runInMemory(bills(1), { input: { rows: [rows[0]!, rows[0]!] }, handlers });
    expect(twice.node('rows').error).toMatchObject({ code: 'ITEM_KEY.DUPLICATE' });
  });

  it('closes a fan-out early by fail-fast, and starts no more of it', async () => {
    const pipeline = definePipeline({ name: 'fast' }, ({ add }) => {
      const rows = add(
        'rows',
        spawner({
          items: [1, 2, 3, 4, 5, 6],
          maxConcurrency: 2,
          node: ({ item }) => http({ url: text`https://a.example/${item}` }),
        }),
      );
      add('join', merge({ of: rows, failFast: true }));
    });
    const called: string[] = [];
    const run = await runInMemory(pipeline, {
      http: ({ url }) => {
        called.push(url);
        return { status: url.endsWith('/3') ? 404 : 200 };
      },
      takes: () => 1_000,
    });
    expect(run).toMatchObject({ state: 'FAILED', elapsedMs: 2_000 });
    expect(called.length).toBeLessThanOrEqual(4);
    expect(run.children('rows').map(({ state }) => state)).toEqual([
      'SUCCEEDED',
      'SUCCEEDED',
      'FAILED',
      expect.any(String),
      'CANCELLED',
      'CANCELLED',
    ]);
  });

  it('waits for days, for signals and in time-outs without waiting', async () => {
    const pipeline = definePipeline({ name: 'slow', input: type<{ day: string }>() }, ({ input, add }) => {
      const slept = add('slept', wait({ duration: '30d' }));
      const said = add('said', signal({ name: 'approve', timeout: '2d' }, {}, type<{ by: string }>()), slept);
      const ran = add(
        'ran',
        shell({ command: ['make', input.day, said.output.by] }, { timeout: '10s', retry: { maxAttempts: 2 } }),
        said,
      );
      return add('told', transform({ by: said.output.by }), after(ran, { condition: cel`${ran.output} == ${'done'}` }));
    });
    const ran: unknown[] = [];
    const options = {
      input: { day: 'monday' },
      command: ({ command, attempt }: { command: readonly string[]; attempt: number }) => {
        ran.push([...command, attempt]);
        return { stdout: 'done' };
      },
      takes: ({ nodeId, attempt }: { nodeId: string; attempt: number }) =>
        nodeId === 'ran' && attempt === 1 ? 60_000 : 0,
    };
    const day = 24 * 60 * minute;
    const run = await runInMemory(pipeline, {
      ...options,
      signals: [{ name: 'approve', body: { by: 'eva' }, after: '31d' }],
    });
    expect(run).toMatchObject({ state: 'SUCCEEDED', output: { by: 'eva' }, elapsedMs: 31 * day + 20_000 });
    expect(ran).toEqual([
      ['make', 'monday', 'eva', 1],
      ['make', 'monday', 'eva', 2],
    ]);
    expect(run.attempts.map(({ outcome }) => outcome)).toEqual(['TIMED_OUT', 'SUCCEEDED']);
    const unsaid = await runInMemory(pipeline, options);
    expect(unsaid).toMatchObject({ state: 'FAILED', error: { code: 'SIGNAL.TIMED_OUT' }, elapsedMs: 32 * day });
  });

  it('starts other pipelines, and one fan-out from the results of another', async () => {
    const one = definePipeline({ name: 'one', input: type<{ n: number }>() }, ({ input, add }) =>
      add('got', http({ url: 'https://a.example', body: input.n }, { retry: { maxAttempts: 1 } }, type<number>())),
    );
    const both = definePipeline({ name: 'both', input: type<{ set: string }>() }, ({ input, add }) => {
      const first = add('first', spawner({ items: datasetItems(input.set, type<{ n: number }>()), pipeline: one }));
      const join = add('join', merge({ of: first, tolerateChildFailures: ['FAILED'] }));
      const second = add(
        'second',
        spawner({ items: resultItems(first), node: ({ item }) => transform({ n: item.output.body, of: item.index }) }),
        join,
      );
      const last = add('last', merge({ of: second, results: 'INLINE' }));
      const sub = add('sub', pipelineNode(one, { input: { n: 7 } }), last);
      return add('all', transform({ results: last.output.results, seven: sub.output.body }), sub);
    });
    const run = await runInMemory(both, {
      input: { set: 'numbers' },
      pipelines: [one],
      datasets: { numbers: [{ n: 1 }, { n: 2 }, { n: 3 }] },
      http: ({ body }) => ({ status: body === 2 ? 400 : 200, body: (body as number) * 10 }),
    });
    expect(run).toMatchObject({ state: 'SUCCEEDED' });
    expect(run.output).toEqual({
      results: [
        { index: 0, key: null, state: 'SUCCEEDED', output: { n: 10, of: 0 } },
        { index: 1, key: null, state: 'SUCCEEDED', output: { n: 30, of: 2 } },
      ],
      seven: 70,
    });
  });

  it('says what a test has forgotten to give, and does not call that a failure of the pipeline', async () => {
    await expect(runInMemory(bills(0), { input: { rows: [{ id: 1, cents: 1 }] } })).rejects.toThrow(
      new NotInMemory('node rows needs the handler charge; give it in `handlers`'),
    );
    const waiting = await runInMemory({ name: 'w', nodes: [{ id: 's', type: 'SIGNAL', config: { name: 'x' } }] });
    expect(waiting).toMatchObject({ state: 'RUNNING', output: null });
  });
});
