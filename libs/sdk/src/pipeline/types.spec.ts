import { exactJson, type ExactJson } from '../handlers/exact-json.js';
import { defineHandler } from '../handlers/handler.js';
import { z } from 'zod';
import { definePipeline, type PlacedNode } from './define-pipeline.js';
import type { DefinedPipeline } from './defined-pipeline.js';
import { datasetItems, merge, resultItems, spawner, type ChildResult } from './fan-out-kinds.js';
import { handlersOf, http, pipelineNode, transform, type HttpOutput } from './node-kinds.js';
import type { Ref, Reference, Resolved } from './reference.js';
import { type } from './type.js';

/** Equal both ways, as the compiler sees it: `npm run typecheck` is what runs these. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_is: Same<A, B>): void => undefined;
const valueOf = <T>(_reference: Reference<T>): T => undefined as T;

const charge = defineHandler(z.object({ id: z.string(), cents: z.number() }), ({ input }) => ({
  receipt: `${input.id}-${input.cents}`,
}));
const closeMonth = defineHandler<{ failed: number }, { closed: boolean }>(async ({ input }) => ({
  closed: input.failed === 0,
}));
const count = defineHandler<void, ExactJson<{ n: bigint }>>(() => exactJson('{"n": 9007199254740993}'));
const handlers = { charge, closeMonth, count };
const handler = handlersOf<typeof handlers>();

describe('types carry', () => {
  it('from the input of a pipeline through its nodes to its output', () => {
    const entry = definePipeline({ name: 'entry', input: type<{ id: string; cents: number }>() }, ({ input, add }) => {
      same<typeof input.id, Ref<string>>(true);
      return add('charge', handler('charge', { id: input.id, cents: input.cents }));
    });
    same<typeof entry, DefinedPipeline<{ id: string; cents: number }, { receipt: string }>>(true);

    const month = definePipeline(
      { name: 'month', input: type<{ rows: { id: string; cents: number; memo: string }[] }>() },
      (p) => {
        const rows = p.add('rows', spawner({ items: p.input.rows, pipeline: entry }));
        same<typeof rows, PlacedNode<null, { receipt: string }>>(true);
        const join = p.add('join', merge({ of: rows, results: 'INLINE' }));
        const results = valueOf(join.output.results);
        same<typeof results, readonly ChildResult<{ receipt: string }>[] | null>(true);
        const first = valueOf(join.output.results[0]!.output);
        same<typeof first, { receipt: string }>(true);
        const again = p.add(
          'again',
          spawner({
            items: resultItems(rows),
            node: ({ item }) => http({ url: 'http://x.example', body: item.output.receipt }),
          }),
          join,
        );
        same<typeof again, PlacedNode<null, HttpOutput<unknown>>>(true);
        const close = p.add(
          'close',
          handler('closeMonth', { failed: join.output.failed }),
          p.add('done', merge({ of: again })),
        );
        const counted = valueOf(p.add('counted', handler('count')).output);
        same<typeof counted, { n: bigint }>(true);
        return p.add('told', transform({ closed: close.output.closed, fixed: 1 }), close);
      },
    );
    same<typeof month.output, DefinedPipeline<never, { closed: boolean; fixed: 1 }>['output']>(true);
    expect(month.name).toBe('month');
  });

  it('and stop what does not fit, before anything runs', () => {
    const entry = definePipeline({ name: 'entry', input: type<{ id: string }>() }, ({ input, add }) =>
      add('a', transform({ same: input.id })),
    );
    const wrong = () =>
      definePipeline({ name: 'wrong', input: type<{ rows: { key: number }[] }>() }, ({ input, add }) => {
        // @ts-expect-error -- the input has no such member
        void input.lines;
        // @ts-expect-error -- there is no such handler
        add('a', handler('nobody', {}));
        // @ts-expect-error -- a list is no number
        add('b', handler('closeMonth', { failed: input.rows }));
        // @ts-expect-error -- a row has a key and no id
        add('c', spawner({ items: input.rows, pipeline: entry }));
        // @ts-expect-error -- the pipeline takes an id that is a string
        add('d', pipelineNode(entry, { input: { id: input.rows[0]!.key } }));
        // @ts-expect-error -- `input` makes something else than the pipeline takes
        add('e', spawner({ items: input.rows, pipeline: entry, input: ({ item }) => ({ id: item.key }) }));
        const csv = spawner({
          items: datasetItems('x'),
          // @ts-expect-error -- cells of a CSV are strings, so there is no number to charge
          node: ({ item }) => handler('charge', { id: item.a!, cents: item.b! }),
        });
        add('f', csv);
      });
    // It is the types that stop it: without them it is a definition like others.
    expect(wrong).not.toThrow();
  });

  it('from values and references to what they become', () => {
    same<Resolved<{ a: Ref<number>; b: { c: Ref<string[]> }; d: 'x' }>, { a: number; b: { c: string[] }; d: 'x' }>(
      true,
    );
  });
});
