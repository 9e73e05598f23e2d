import { runInMemory, type RunExecution } from '@fanfold/sdk/testing';
import { inModes } from '../support/in-every-mode.js';

type Answer = { status: number; body?: string };
interface Case {
  readonly nodes: readonly object[];
  readonly edges?: readonly object[];
  readonly input?: unknown;
  /** Further pipelines, by the end of their names. */
  readonly others?: Readonly<Record<string, object>>;
}

/** A call says itself how it wants to be answered: `{status}`, or `{until}`: 503 until so many calls have been made. */
const answerTo = (calls: Map<string, number>, body: { status?: number; until?: number }): Answer => {
  const text = JSON.stringify(body);
  const made = (calls.get(text) ?? 0) + 1;
  calls.set(text, made);
  if (body.until !== undefined) return { status: made >= body.until ? 200 : 503 };
  return { status: body.status ?? 200 };
};

const retry = { maxAttempts: 3, initialDelay: '20ms', backoff: 1, jitter: 0 };
const call = (id: string, body: unknown, more: object = {}) => ({
  id,
  type: 'HTTP',
  config: { method: 'POST', url: 'URL', body },
  retry,
  ...more,
});
const give = (id: string, output: unknown, more: object = {}) => ({
  id,
  type: 'TRANSFORM',
  config: { output },
  ...more,
});
const fan = (config: object) => ({ id: 'fan', type: 'SPAWNER', config });
const posts = (items: readonly object[], more: object = {}) =>
  fan({ items, node: { type: 'HTTP', config: { method: 'POST', url: 'URL', body: '${item}' }, retry }, ...more });
const join = (config: object = {}) => ({ id: 'join', type: 'MERGE', config });
const edge = (from: string, to: string, more: object = {}) => ({ from, to, ...more });
const tolerant = { tolerateChildFailures: ['FAILED'] };
const items = [200, 404, 200, 501, 200].map((status, n) => ({ n, status }));

const cases: Readonly<Record<string, Case>> = {
  'a branch that is not taken, and a join behind both': {
    nodes: [
      call('a', { status: 200 }),
      give('b', 1),
      give('c', 2),
      give('d', '${nodes.b.state}', { join: 'ALL_DONE' }),
    ],
    edges: [
      edge('a', 'b', { condition: 'nodes.a.output.status == 500' }),
      edge('a', 'c', { condition: 'nodes.a.output.status == 200' }),
      edge('b', 'd'),
      edge('c', 'd'),
    ],
  },
  'a failure that an edge takes': {
    nodes: [call('a', { status: 404 }), give('b', { was: '${nodes.a.state}' }), give('c', 1)],
    edges: [edge('a', 'b', { condition: "nodes.a.state == 'FAILED'" }), edge('a', 'c')],
  },
  'a failure that nothing takes, beside a branch that goes on': {
    nodes: [call('a', { status: 404 }), call('b', { status: 200 }), give('c', 1), give('d', 2)],
    edges: [edge('a', 'c'), edge('b', 'd')],
  },
  'the first of two that succeeds': {
    nodes: [call('a', { status: 404 }), call('b', { status: 200 }), give('c', 1, { join: 'ANY_SUCCEEDED' })],
    edges: [edge('a', 'c'), edge('b', 'c')],
  },
  'attempts that are made again, and a rule that makes a success of a refusal': {
    nodes: [
      call('a', { until: 3 }),
      call('b', { status: 409 }, { errors: [{ status: 409, treatAs: 'SUCCEEDED' }] }),
      call('c', { until: 9 }),
    ],
  },
  'mappings, later before earlier': {
    nodes: [give('a', { x: 1 }), give('b', { x: 2 }), give('c', '${input}')],
    edges: [
      edge('a', 'c', { mapping: { x: '${nodes.a.output.x}', only: 'a' } }),
      edge('b', 'c', { mapping: { x: '${nodes.b.output.x}' } }),
    ],
  },
  'an expression that finds nothing': { nodes: [give('a', '${input.nothing}'), give('b', 1)], edges: [edge('a', 'b')] },
  'a fan-out within its tolerance, with its results': {
    nodes: [posts(items), join({ ...tolerant, results: 'INLINE' })],
    edges: [edge('fan', 'join')],
  },
  'a fan-out beyond its ratio': {
    nodes: [posts(items), join({ ...tolerant, failureTolerance: { maxFailureRatio: 0.3 } }), give('after', 1)],
    edges: [edge('fan', 'join'), edge('join', 'after')],
  },
  'a fan-out without a merge': { nodes: [posts(items), give('after', 1)], edges: [edge('fan', 'after')] },
  'an empty list': {
    nodes: [posts([]), join(), give('after', '${nodes.join.output}')],
    edges: [edge('fan', 'join'), edge('join', 'after')],
  },
  'what is no list': {
    nodes: [fan({ items: '${input.rows}', node: { type: 'TRANSFORM', config: { output: 1 } } }), join()],
    edges: [edge('fan', 'join')],
    input: { rows: { a: 1 } },
  },
  'two items with one key': {
    nodes: [posts(items, { itemKey: '${item.status}' }), join()],
    edges: [edge('fan', 'join')],
  },
  'batches, and a fan-out over results': {
    nodes: [
      fan({
        items: [1, 2, 3, 4, 5, 6, 7],
        batch: { maxItems: 3 },
        node: { type: 'TRANSFORM', config: { output: '${item}' } },
      }),
      join(),
      {
        id: 'again',
        type: 'SPAWNER',
        config: { items: { results: 'fan' }, node: { type: 'TRANSFORM', config: { output: '${item}' } } },
      },
      { id: 'end', type: 'MERGE', config: { of: 'again', results: 'INLINE' } },
    ],
    edges: [edge('fan', 'join'), edge('join', 'again'), edge('again', 'end')],
  },
  'pipelines within pipelines, one of which fails': {
    nodes: [
      { id: 'sub', type: 'PIPELINE', config: { pipeline: 'NAME-one', input: { status: 200 } } },
      { id: 'bad', type: 'PIPELINE', config: { pipeline: 'NAME-one', input: { status: 404 } } },
      fan({ items, pipeline: 'NAME-one' }),
      join(tolerant),
    ],
    edges: [edge('fan', 'join')],
    others: { one: { nodes: [call('a', '${input}'), give('b', '${nodes.a.output.status}')], edges: [edge('a', 'b')] } },
  },
};

const brief = (error: unknown) => {
  const { class: kind, code, nodeId, limit, status } = (error ?? {}) as Record<string, unknown>;
  return error === null ? null : { kind, code, nodeId, limit, status };
};
/** What was said of an answer's headers is the sink's. */
const withoutHeaders = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, part: unknown) => (name === 'headers' || name === 'error' ? undefined : part)),
  );

inModes(['standalone'], 'the test kit ends as the engine does', (stage) => {
  it.each(Object.entries(cases))('%s', async (_what, { nodes, edges = [], input = {}, others = {} }) => {
    const { sink, engine } = stage;
    const name = stage.name();
    const named = (definition: object, of: string) =>
      ({
        name: of,
        ...(JSON.parse(JSON.stringify(definition).replaceAll('NAME', name).replaceAll('URL', sink.url)) as object),
      }) as {
        name: string;
        nodes: { id: string; type: string }[];
      };
    const further = Object.entries(others).map(([suffix, other]) => named(other, `${name}-${suffix}`));
    const definition = named({ nodes, edges }, name);
    const met = new Map<string, number>();
    sink.answer(({ body }) => answerTo(met, JSON.parse(body) as object));
    for (const one of [...further, definition]) await engine.api.publish(one);
    const done = await engine.api.run(name, input);
    const children = await engine.api.children(done.id);

    const made = new Map<string, number>();
    const run = await runInMemory(definition, {
      input,
      pipelines: further,
      http: ({ body }) => ({ ...answerTo(made, body as object), body: {} }),
    });
    const spawners = definition.nodes.filter(({ type }) => type === 'SPAWNER' || type === 'PIPELINE');
    const kitChildren = spawners.flatMap(({ id }): readonly RunExecution[] => run.children(id));
    expect({
      state: run.state,
      output: withoutHeaders(run.output),
      error: brief(run.error),
      nodes: definition.nodes.map(({ id }) => ({ id, ...shownNode(run, id) })),
      children: kitChildren.map(({ state, error }) => ({ state, error: brief(error) })),
      calls: [...made.values()].sort((a, b) => a - b),
    }).toEqual({
      state: done.state,
      output: withoutHeaders(done.output),
      error: brief(done.error),
      nodes: done.nodes.map(({ id, state, attempt }) => ({ id, state, attempt })),
      children: children.map(({ state, error }) => ({ state, error: brief(error) })),
      calls: [...met.values()].sort((a, b) => a - b),
    });
  });
});

/** A node without a task waits while its execution is open, and was skipped when that has settled. */
const shownNode = (run: RunExecution, id: string) => {
  const { state, attempts } = run.node(id);
  return { state: state ?? 'SKIPPED', attempt: attempts };
};
