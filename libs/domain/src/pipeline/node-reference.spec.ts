import { parsePipeline } from './parse-pipeline.js';

type Json = Record<string, unknown>;

const transform = (id: string, output: unknown = 1): Json => ({ id, type: 'TRANSFORM', config: { output } });
const spawner = (id: string, more: Json = {}): Json => ({
  id,
  type: 'SPAWNER',
  config: { items: [1, 2], pipeline: 'child', ...more },
});
const http = (config: Json): Json => ({
  id: 'call',
  type: 'HTTP',
  config: { method: 'POST', url: 'https://api.example/x', ...config },
});
const edge = (from: string, to: string, more: Json = {}): Json => ({ from, to, ...more });
const chain = (...ids: string[]): Json[] => ids.slice(1).map((id, i) => edge(ids[i]!, id));

function pipeline(nodes: unknown, edges: unknown = []): string {
  return JSON.stringify({ name: 'p', nodes, edges });
}
function defects(text: string): string[] {
  const parsed = parsePipeline(text);
  return parsed.ok ? [] : parsed.defects.map((d) => `${d.path}: ${d.message}`);
}

describe('templates of a pipeline', () => {
  it('must refer to nodes that exist and lie upstream', () => {
    const text = pipeline(
      [
        transform('a'),
        transform('b', '${nodes.c.output}'),
        transform('c', { x: ['${nodes.zz.output}'] }),
        transform('d', '${nodes.a.output.x + nodes.b.output.y}'),
      ],
      [
        ...chain('a', 'b', 'c'),
        edge('b', 'd', { condition: 'nodes.d.state == "FAILED"', mapping: { x: '${nodes.a.output}' } }),
      ],
    );
    expect(defects(text)).toEqual([
      'nodes[1].config.output: refers to node c, which is not upstream of b',
      'nodes[2].config.output: refers to node "zz", which does not exist',
      'edges[2].condition: refers to node d, which is not upstream of b',
    ]);
  });

  it('may use secrets in url, headers, body and env only', () => {
    const secret = '${secrets.TOKEN}';
    const ok = http({ url: `https://a.example/${secret}`, headers: { a: secret }, body: { x: secret } });
    expect(defects(pipeline([ok]))).toEqual([]);
    const shell = { id: 's', type: 'SHELL', config: { command: ['x', secret], stdin: secret, env: { A: secret } } };
    expect(
      defects(pipeline([shell, transform('t', secret), spawner('z', { input: secret })])).map((d) => d.split(':')[0]),
    ).toEqual([
      'nodes[0].config.stdin',
      'nodes[0].config.command[1]',
      'nodes[1].config.output',
      'nodes[2].config.input',
    ]);
  });

  it('are told with path and position where they are bad', () => {
    expect(defects(pipeline([http({ headers: { 'x-id': 'a${item.}' } })]))[0]).toMatch(
      /^nodes\[0\]\.config\.headers\["x-id"\]: position \d+: /,
    );
    expect(defects(pipeline([transform('a'), transform('b')], [edge('a', 'b', { condition: '1 +' })]))[0]).toMatch(
      /^edges\[0\]\.condition: position \d+: /,
    );
    expect(defects(pipeline([transform('a'), transform('b')], [edge('a', 'b', { condition: '1' })]))[0]).toContain(
      'must be true or false',
    );
  });

  it('see no other nodes from an inline node', () => {
    const node = { type: 'TRANSFORM', config: { output: '${nodes.a.output}' } };
    const text = pipeline([transform('a'), spawner('s', { pipeline: undefined, node })], chain('a', 's'));
    expect(defects(text)[0]).toContain('nodes is not in scope here');
  });
});
