import { parsePipeline } from './parse-pipeline.js';
import type { HttpConfig, MergeConfig, Plan, SpawnerConfig } from './plan.js';

type Json = Record<string, unknown>;

const transform = (id: string, output: unknown = 1): Json => ({ id, type: 'TRANSFORM', config: { output } });
const spawner = (id: string, more: Json = {}): Json => ({
  id,
  type: 'SPAWNER',
  config: { items: [1, 2], pipeline: 'child', ...more },
});
const merge = (id: string, config: Json = {}): Json => ({ id, type: 'MERGE', config });
const http = (config: Json = {}, more: Json = {}): Json => ({
  id: 'call',
  type: 'HTTP',
  config: { method: 'POST', url: 'https://api.example/x', ...config },
  ...more,
});
const edge = (from: string, to: string, more: Json = {}): Json => ({ from, to, ...more });
const chain = (...ids: string[]): Json[] => ids.slice(1).map((id, i) => edge(ids[i]!, id));

function pipeline(nodes: unknown, edges: unknown = [], more: Json = {}): string {
  return JSON.stringify({ name: 'p', nodes, edges, ...more });
}
function plan(text: string): Plan {
  const parsed = parsePipeline(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects, null, 1));
  return parsed.plan;
}
function defects(text: string): string[] {
  const parsed = parsePipeline(text);
  return parsed.ok ? [] : parsed.defects.map((d) => `${d.path}: ${d.message}`);
}

const ledger = `{
  "name": "ledger-migration",
  "inputSchema": {"type": "object", "required": ["dataset"]},
  "maxConcurrency": 500, "timeout": "6h", "retention": {"succeeded": "7d", "failed": "30d"},
  "nodes": [
    {"id": "entries", "type": "SPAWNER", "config": {
      "items": {"dataset": "\${input.dataset}"}, "pipeline": "ledger-entry", "input": "\${item}",
      "itemKey": "\${item.entry_id}", "maxConcurrency": 200}},
    {"id": "join", "type": "MERGE", "config": {
      "tolerateChildFailures": ["FAILED"], "failureTolerance": {"maxFailureRatio": 0.05}, "failFast": true, "remaining": "CANCEL"}},
    {"id": "report", "type": "HTTP", "config": {
      "method": "POST", "url": "https://ops.example/reports", "headers": {"authorization": "Bearer \${secrets.OPS_TOKEN}"},
      "body": {"ok": "\${nodes.join.output.succeeded}", "failed": "\${nodes.join.output.failed}"}}}
  ],
  "edges": [
    {"from": "entries", "to": "join"},
    {"from": "join", "to": "report", "condition": "nodes.join.output.failed > 0", "timeout": "1m"}
  ]
}`;

describe('the plan of a pipeline', () => {
  it('has everything that scheduling needs', () => {
    const parsed = parsePipeline(ledger);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
    expect(parsed.name).toBe('ledger-migration');
    const { nodes, roots, ends, edges, ...head } = parsed.plan;
    expect(head).toEqual({
      name: 'ledger-migration',
      maxConcurrency: 500,
      timeoutMs: 21_600_000,
      retention: { succeededMs: 604_800_000, failedMs: 2_592_000_000 },
      inputSchema: '{"type": "object", "required": ["dataset"]}',
      notify: [],
    });
    expect([roots, ends, edges.length]).toEqual([[0], [2], 2]);
    expect(nodes.map((n) => [n.id, n.rank, n.inDegree, n.criticalPath, n.timeoutMs, n.queue])).toEqual([
      ['entries', 0, 0, 3, null, 'default'],
      ['join', 1, 1, 2, null, 'default'],
      ['report', 2, 1, 1, 30_000, 'default'],
    ]);
    const join = nodes[1]!.config as MergeConfig;
    expect(join).toEqual({
      type: 'MERGE',
      of: 0,
      tolerance: { kinds: ['FAILED'], maxFailureRatio: '0.05', maxFailureCount: null },
      failFast: true,
      remaining: 'CANCEL',
      results: 'NONE',
    });
    expect((nodes[2]!.config as HttpConfig).host).toBe('ops.example');
    expect(nodes[2]!.incoming[0]).toBe(edges[1]);
    expect(edges[1]).toMatchObject({ index: 1, from: 1, to: 2, timeoutMs: 60_000, mapping: null });
  });

  it('is the same definition whatever the white space and the order of fields', () => {
    const other = JSON.stringify({ edges: JSON.parse(ledger).edges, ...JSON.parse(ledger) });
    const [a, b] = [parsePipeline(ledger), parsePipeline(other)];
    expect(a.ok && b.ok && a.canonical === b.canonical).toBe(true);
  });

  it('of a chain of 10,000 nodes is made in milliseconds, without recursion, also with a cycle at its end', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
    const nodes = ids.map((id, i) => transform(id, i === 0 ? 1 : `\${nodes.n${i - 1}.output}`));
    const text = pipeline(nodes, chain(...ids));
    const start = performance.now();
    const made = plan(text);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(made.nodes[9_999]).toMatchObject({ rank: 9_999, criticalPath: 1 });
    expect(made.nodes[0]).toMatchObject({ rank: 0, criticalPath: 10_000 });
    const looped = pipeline(
      ids.map((id) => transform(id)),
      [...chain(...ids), edge('n9999', 'n9990')],
    );
    expect(defects(looped)).toEqual([`edges: cycle: ${[...ids.slice(9_990), 'n9990'].join(' → ')}`]);
    expect(
      defects(
        pipeline(
          ids.map((id) => transform(id)),
          [...chain(...ids), edge('n9999', 'n0')],
        ),
      ),
    ).toHaveLength(10_001);
  });

  it('ranks by the longest way and allows several starts', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => transform(id));
    const made = plan(pipeline(nodes, [...chain('a', 'b', 'c', 'd'), edge('a', 'd'), edge('e', 'd')]));
    expect(made.nodes.map((n) => [n.rank, n.inDegree, n.criticalPath])).toEqual([
      [0, 0, 4],
      [1, 1, 3],
      [2, 1, 2],
      [3, 3, 1],
      [0, 0, 2],
    ]);
    expect(made.roots).toEqual([0, 4]);
  });

  it('of an inline node is a plan of one node with the id of its spawner', () => {
    const node = {
      type: 'HTTP',
      config: { url: 'https://a.example/${item.id}' },
      retry: { maxAttempts: 2 },
      queue: 'q',
    };
    const made = plan(pipeline([spawner('s', { pipeline: undefined, node })]));
    const { child } = made.nodes[0]!.config as SpawnerConfig;
    if (child.kind !== 'inline') throw new Error('not inline');
    expect(child.plan).toMatchObject({ name: 'p', roots: [0], ends: [0], edges: [] });
    expect(child.plan.nodes[0]).toMatchObject({
      id: 's',
      type: 'HTTP',
      queue: 'q',
      timeoutMs: 30_000,
      retry: { maxAttempts: 2 },
    });
  });

  it('links a merge to the one spawner next upstream, or the nearest, or the one it names', () => {
    const of = (text: string) => (plan(text).nodes.find((n) => n.type === 'MERGE')!.config as MergeConfig).of;
    expect(of(pipeline([spawner('s'), merge('m')], chain('s', 'm')))).toBe(0);
    expect(of(pipeline([spawner('s'), transform('t'), merge('m')], chain('s', 't', 'm')))).toBe(0);
    expect(of(pipeline([spawner('s'), spawner('r'), merge('m')], chain('s', 'r', 'm')))).toBe(1);
    const two = pipeline(
      [spawner('s'), spawner('r'), merge('m', { of: 's' }), merge('k')],
      [...chain('s', 'r', 'm'), edge('r', 'k')],
    );
    expect(plan(two).nodes.map((n) => (n.config as MergeConfig).of)).toEqual([undefined, undefined, 0, 1]);
  });
});

describe('a broken graph is refused', () => {
  const abc = ['a', 'b', 'c'].map((id) => transform(id));
  it.each([
    ['not JSON', '{"name": ', ['name: unexpected the end at offset 9']],
    ['no object', '[]', [': a pipeline must be an object, is []']],
    ['no nodes', pipeline([]), ['nodes: a pipeline needs at least one node']],
    ['a self-loop', pipeline(abc, [edge('a', 'a')]), ['edges[0]: self-loop: a leads to itself']],
    ['an edge to nowhere', pipeline(abc, [edge('a', 'x')]), ['edges[0].to: there is no node "x"']],
    [
      'a duplicate edge',
      pipeline(abc, [edge('a', 'b'), edge('a', 'b')]),
      ['edges[1]: duplicate edge from a to b, as edges[0]'],
    ],
    ['a duplicate id', pipeline([...abc, transform('a')]), ['nodes[3].id: duplicate id a, as nodes[0]']],
    [
      'a cycle that nothing leads to',
      pipeline(abc, [...chain('b', 'c', 'b')]),
      [
        'edges: cycle: b → c → b',
        'nodes[1]: unreachable: no path leads from a start to b',
        'nodes[2]: unreachable: no path leads from a start to c',
      ],
    ],
    [
      'a cycle through a conditional edge',
      pipeline(abc, [...chain('a', 'b', 'c'), edge('c', 'b', { condition: 'true' })]),
      ['edges: cycle: b → c → b'],
    ],
    [
      'a merge without a spawner',
      pipeline([merge('m')]),
      ['nodes[0]: a MERGE without a spawner: none is upstream of m'],
    ],
    [
      'a merge of no spawner',
      pipeline([transform('t'), merge('m', { of: 't' })], chain('t', 'm')),
      ['nodes[1].config.of: t is not a SPAWNER'],
    ],
    [
      'a merge beside its spawner',
      pipeline([spawner('s'), merge('m', { of: 's' })]),
      ['nodes[1].config.of: s is not upstream of m'],
    ],
    [
      'a spawner with two merges',
      pipeline([spawner('s'), merge('m'), merge('k')], [edge('s', 'm'), edge('s', 'k')]),
      ['nodes[2]: spawner s already has the merge m; k is a second one'],
    ],
    [
      'an ambiguous merge',
      pipeline([spawner('s'), spawner('r'), merge('m')], [edge('s', 'm'), edge('r', 'm')]),
      ['nodes[2]: ambiguous: s and r are equally near upstream; say which with config.of'],
    ],
    [
      'a pipeline that spawns itself',
      pipeline([spawner('s', { pipeline: 'p' })]),
      ['nodes[0].config.pipeline: spawn recursion: p would start itself'],
    ],
    [
      'one that spawns a version of itself',
      pipeline([spawner('s', { pipeline: 'p@3' })]),
      ['nodes[0].config.pipeline: spawn recursion: p would start itself'],
    ],
  ])('%s', (_, text, expected) => expect(defects(text)).toEqual(expected));

  it('with all its defects in one answer', () => {
    const text = pipeline(
      [
        transform('a'),
        transform('a'),
        { id: 'b', type: 'HTPP' },
        http({ url: 'ftp://x', timeout: 5 }, { timeout: '5' }),
        merge('m'),
      ],
      [edge('a', 'nowhere'), edge('b', 'b')],
      { nmae: 'x', maxConcurrency: 0 },
    );
    expect(defects(text).map((d) => d.split(':')[0])).toEqual([
      'maxConcurrency',
      'nmae',
      'nodes[2].type',
      'nodes[3].timeout',
      'nodes[3].config.url',
      'nodes[3].config.timeout',
      'nodes[1].id',
      'edges[0].to',
      'edges[1]',
      'nodes[4]',
    ]);
  });

  it('nested inline nodes more than 16 deep', () => {
    const nest = (depth: number): Json =>
      depth === 0
        ? { type: 'TRANSFORM', config: { output: 1 } }
        : { type: 'SPAWNER', config: { items: [1], node: nest(depth - 1) } };
    expect(defects(pipeline([{ id: 's', ...nest(16) }]))).toEqual([]);
    expect(defects(pipeline([{ id: 's', ...nest(17) }]))[0]).toContain('nested more than 16 deep');
    expect(defects(pipeline([{ id: 's', ...nest(200) }]))).toHaveLength(1);
  });
});

describe('numbers, durations and names', () => {
  const bad: unknown[] = [0, -1, 1.5, '5', null, true, [], Infinity];
  it.each([
    ['a concurrency of a node', (v: unknown) => pipeline([http({}, { maxConcurrency: v })]), 'nodes[0].maxConcurrency'],
    ['a concurrency of a pipeline', (v: unknown) => pipeline([http()], [], { maxConcurrency: v }), 'maxConcurrency'],
    [
      'a concurrency of a spawner',
      (v: unknown) => pipeline([spawner('s', { maxConcurrency: v })]),
      'nodes[0].config.maxConcurrency',
    ],
    ['attempts', (v: unknown) => pipeline([http({}, { retry: { maxAttempts: v } })]), 'nodes[0].retry.maxAttempts'],
    ['a time-out', (v: unknown) => pipeline([http({}, { timeout: v })]), 'nodes[0].timeout'],
    ['a batch', (v: unknown) => pipeline([spawner('s', { batch: { maxItems: v } })]), 'nodes[0].config.batch.maxItems'],
    ['a limit of output', (v: unknown) => pipeline([http({}, { maxOutput: v })]), 'nodes[0].maxOutput'],
  ])('%s is refused where it is zero, negative, fractional, text or null', (_, text, path) => {
    for (const value of bad) {
      const found = defects(text(value).replace(':null', value === Infinity ? ':1e400' : ':null'));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`^${path.replace(/[.[\]]/g, '\\$&')}: must be`));
    }
  });

  it.each(['-0.1', '1.5', '"0.05"', 'null', '1.0000000000000000000000001', '1e-500', 'true'])(
    'a ratio of %s is refused',
    (ratio) => {
      const text = pipeline(
        [spawner('s'), merge('m', { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 7 } })],
        chain('s', 'm'),
      );
      expect(defects(text.replace(':7', `:${ratio}`))).toEqual([
        expect.stringMatching(/^nodes\[1\]\.config\.failureTolerance\.maxFailureRatio: must be a number from 0 to 1/),
      ]);
    },
  );

  it('a ratio is kept as the decimal text it was written as', () => {
    const text = pipeline(
      [spawner('s'), merge('m', { tolerateChildFailures: ['FAILED'], failureTolerance: { maxFailureRatio: 7 } })],
      chain('s', 'm'),
    );
    for (const ratio of ['0', '1', '1.0', '0.29', '2.9e-1', '0.3333333333333333333333333'])
      expect((plan(text.replace(':7', `:${ratio}`)).nodes[1]!.config as MergeConfig).tolerance.maxFailureRatio).toBe(
        ratio,
      );
  });

  it('a failure budget without kinds is refused', () => {
    const text = pipeline([spawner('s'), merge('m', { failureTolerance: { maxFailureCount: 3 } })], chain('s', 'm'));
    expect(defects(text)).toEqual([expect.stringContaining('nodes[1].config.failureTolerance: needs kinds')]);
  });

  it.each(['', '9a', '__a', 'a-b', 'in', 'namespace', 'x'.repeat(64), 'é'])('%j is no id of a node', (id) => {
    expect(defects(pipeline([transform(id)]))).toEqual([expect.stringMatching(/^nodes\[0\]\.id: /)]);
  });

  it.each(['', 'A', '-a', 'a b', 'x'.repeat(129), 5, null])('%j is no name of a pipeline', (name) => {
    expect(defects(pipeline([transform('a')], [], { name }))).toEqual([expect.stringMatching(/^name: must be a name/)]);
  });

  it('fields that are unknown, misspelled or given twice are refused anywhere', () => {
    const text = pipeline(
      [
        http(
          { ulr: 1, batch: {} },
          {
            retry: { attempts: 1 },
            errors: [{ status: 500, treatAs: 'TRANSIENT', x: 1 }],
            destinations: [{ name: 'd', costs: 1 }],
          },
        ),
        transform('t'),
      ],
      [edge('call', 't', { when: 'true' })],
      { retention: { success: '1d' } },
    );
    expect(defects(text)).toEqual([
      'retention.success: unknown field',
      'nodes[0].retry.attempts: unknown field',
      'nodes[0].errors[0].x: unknown field',
      'nodes[0].destinations[0].costs: unknown field',
      'nodes[0].config.ulr: unknown field',
      'nodes[0].config.batch: unknown field',
      'edges[0].when: unknown field',
    ]);
    expect(defects('{"name":"p","name":"q","nodes":[]}')[0]).toBe('name: is given twice');
    expect(defects(pipeline([{ ...transform('t'), constructor: 1 }]))).toEqual(['nodes[0].constructor: unknown field']);
  });
});
