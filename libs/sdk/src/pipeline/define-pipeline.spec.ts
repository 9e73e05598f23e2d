import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePipeline } from '@app/domain';
import type { HandlerContext } from '../handlers/handler.js';
import { after, definePipeline, mappedInput, PipelineInvalid, secret } from './define-pipeline.js';
import { datasetItems, frozenItems, merge, resultItems, spawner } from './fan-out-kinds.js';
import { handlersOf, http, pipelineNode, script, shell, signal, transform, wait } from './node-kinds.js';
import { cel, text } from './reference.js';
import { type } from './type.js';

const root = join(__dirname, '../../../..');
const documented = (page: string): unknown[] =>
  [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) =>
    JSON.parse(json!),
  );

/** As it is published, and as the engine reads it. */
const roundTrip = (defined: { definition: unknown }): unknown => {
  const text = JSON.stringify(defined);
  expect(parsePipeline(text)).toMatchObject({ ok: true });
  expect(JSON.parse(text)).toEqual(defined.definition);
  return JSON.parse(text);
};

interface Written {
  readonly nodes: readonly { readonly config: object }[];
}

/** Which spawner a merge is of is always written. */
const withMergeOf = (written: Written, at: number, of: string): Written => ({
  ...written,
  nodes: written.nodes.map((node, i) => (i === at ? { ...node, config: { ...node.config, of } } : node)),
});

type Handlers = {
  closeMonth(context: HandlerContext<{ failed: number }>): Promise<{ closed: boolean }>;
  addVat(context: HandlerContext<{ amount: string }>): { gross: number };
};
const handler = handlersOf<Handlers>();

describe('a pipeline defined in code', () => {
  it('is exactly the definition that the documentation writes in JSON', () => {
    const invoices = definePipeline(
      {
        name: 'invoices',
        input: type<{ dataset: string }>(),
        inputSchema: { type: 'object', required: ['dataset'] },
        maxConcurrency: 200,
        timeout: '6h',
        retention: { succeeded: '7d', failed: '30d' },
      },
      ({ input, add }) => {
        const rows = add(
          'rows',
          spawner({
            items: datasetItems(input.dataset, type<{ id: string }>()),
            node: ({ item }) =>
              http(
                { method: 'POST', url: 'https://billing.example/invoices', body: { id: item.id } },
                { retry: { maxAttempts: 6 } },
              ),
          }),
        );
        const sum = add(
          'sum',
          merge({ of: rows, tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.01 } }),
        );
        const ok = add('ok', signal({ name: 'release', timeout: '2d' }), sum);
        return add('close', handler('closeMonth', { failed: sum.output.failed }), ok);
      },
    );
    const [written] = documented('pipelines.md') as [Written];
    expect(roundTrip(invoices)).toEqual(withMergeOf(written, 1, 'rows'));
  });

  it('is exactly the definition of the frozen input', () => {
    const purchases = definePipeline({ name: 'purchases', input: type<{ dataset: string }>() }, ({ input, add }) => {
      const sku = type<{ sku: string }>();
      add(
        'rows',
        spawner({
          items: datasetItems(input.dataset, sku),
          itemKey: ({ item }) => item.sku,
          freeze: {
            batch: 100,
            node: http({ method: 'POST', url: 'https://catalogue.example/prices', body: frozenItems(sku) }),
            gives: type<{ price: number }>(),
          },
          node: ({ item, frozen }) =>
            http({
              method: 'POST',
              url: 'https://shop.example/orders',
              body: { sku: item.sku, price: frozen.price },
            }),
        }),
      );
    });
    expect(roundTrip(purchases)).toEqual(documented('pipelines.md')[1]);
  });

  it('is exactly the example of the README', () => {
    const written = JSON.parse(readFileSync(join(root, 'examples/first-pipeline/pipeline.json'), 'utf8')) as Written;
    const entries = definePipeline({ name: 'post-entries', input: type<{ dataset: string }>() }, ({ input, add }) => {
      const rows = add(
        'entries',
        spawner({
          items: datasetItems(input.dataset, type<{ entry_id: string }>()),
          itemKey: ({ item }) => item.entry_id,
          node: ({ item }) =>
            http(
              { method: 'POST', url: 'http://127.0.0.1:4400/entries', body: item },
              { retry: { maxAttempts: 4, initialDelay: '1s' } },
            ),
        }),
      );
      add('join', merge({ of: rows, tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 0.005 } }));
    });
    expect(roundTrip(entries)).toEqual(withMergeOf(written, 1, 'entries'));
  });

  it('has every kind of node, edge and policy', () => {
    const child = definePipeline({ name: 'entry', input: type<{ id: string; big: number }>() }, ({ input, add }) =>
      add(
        'gross',
        handler('addVat', { amount: input.id }, { destinations: ['bank', { name: 'tokens', cost: input.big }] }),
      ),
    );
    const whole = definePipeline(
      { name: 'whole', input: type<{ rows: { id: string; big: number }[]; day: string }>() },
      (p) => {
        const { input, add } = p;
        const rows = add(
          'rows',
          spawner({ items: input.rows, pipeline: child, rollout: [{ items: 1 }, { ratio: 1 }] }),
        );
        const join = add('join', merge({ of: rows, results: 'INLINE', tolerateChildFailures: ['FAILED'] }));
        const again = add(
          'again',
          spawner({
            items: resultItems(rows),
            batch: { maxItems: 10 },
            node: ({ item }) => transform({ first: item[0]!.output.gross }),
          }),
          join,
        );
        const second = add('second', merge({ of: again }));
        const made = add(
          'made',
          transform({ day: input.day, one: join.output.results, text: text`day ${input.day}!` }),
          second,
        );
        const ran = add(
          'ran',
          shell({ command: ['echo', made.output.day], env: { T: secret('TOKEN') } }, {}, type<string>()),
          made,
        );
        const py = add('py', script({ language: 'python', source: 'print(1)' }), ran);
        const sub = add('sub', pipelineNode(child, { input: { id: input.day, big: 9007199254740991 } }), py);
        const slept = add(
          'slept',
          wait({ duration: '1s' }),
          after(sub, { condition: cel`${sub.output.gross} > ${1}`, timeout: '1m' }),
        );
        return add(
          'last',
          transform({ a: mappedInput<{ a: number }>().a }, { join: 'ALL_DONE' }),
          after(slept, { mapping: { a: sub.output.gross } }),
        );
      },
    );
    expect(roundTrip(whole)).toMatchObject({
      nodes: [
        { config: { items: '${input.rows}', pipeline: 'entry', rollout: [{ items: 1 }, { ratio: 1 }] } },
        { config: { of: 'rows', results: 'INLINE' } },
        {
          config: {
            items: { results: 'rows' },
            node: { type: 'TRANSFORM', config: { output: { first: '${item[0].output.gross}' } } },
          },
        },
        {},
        { config: { output: { day: '${input.day}', one: '${nodes.join.output.results}', text: 'day ${input.day}!' } } },
        { config: { command: ['echo', '${nodes.made.output.day}'], env: { T: '${secrets.TOKEN}' } } },
        {},
        { config: { pipeline: 'entry', input: { id: '${input.day}' } } },
        {},
        { join: 'ALL_DONE', config: { output: { a: '${input.a}' } } },
      ],
      edges: expect.arrayContaining([
        { from: 'rows', to: 'join' },
        { from: 'sub', to: 'slept', condition: 'nodes.sub.output.gross > 1', timeout: '1m' },
        { from: 'slept', to: 'last', mapping: { a: '${nodes.sub.output.gross}' } },
      ]) as unknown,
    });
  });

  it('that no engine would take is refused with every defect and where it is', () => {
    const define = () =>
      definePipeline({ name: 'broken', maxConcurrency: 0 }, ({ add }) => {
        add('a', http({ url: 'ftp://x', body: cel`nodes.nobody.output` }));
        add('a', wait({ duration: 'soon' }));
      });
    expect(define).toThrow(PipelineInvalid);
    expect(define).toThrow(/broken has 5 defects[^]*maxConcurrency: [^]*nodes\[0\]\.config\.url: must start with/);
  });
});
