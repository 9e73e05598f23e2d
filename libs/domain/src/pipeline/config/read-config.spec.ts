import { parsePipeline } from '../parse-pipeline.js';
import type { HttpConfig, Plan, ShellConfig } from '../plan.js';

type Json = Record<string, unknown>;

const transform = (id: string): Json => ({ id, type: 'TRANSFORM', config: { output: 1 } });
const http = (config: Json = {}, more: Json = {}): Json => ({
  id: 'call',
  type: 'HTTP',
  config: { method: 'POST', url: 'https://api.example/x', ...config },
  ...more,
});

function pipeline(nodes: unknown): string {
  return JSON.stringify({ name: 'p', nodes });
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

describe('the configuration of a node', () => {
  const config = (type: string, value: Json) => defects(pipeline([{ id: 'n', type, config: value }]));
  it.each<[string, Json, RegExp]>([
    ['SPAWNER', { pipeline: 'c' }, /config\.items: is required/],
    ['SPAWNER', { items: null, pipeline: 'c' }, /config\.items: must be a list, is null/],
    ['SPAWNER', { items: 'abc', pipeline: 'c' }, /config\.items: must be a list, or a template/],
    ['SPAWNER', { items: '[1]${item}', pipeline: 'c' }, /config\.items: must be a list, or a template/],
    ['SPAWNER', { items: 5, pipeline: 'c' }, /config\.items: must be a list, is 5/],
    ['SPAWNER', { items: {}, pipeline: 'c' }, /config\.items: needs either dataset or results/],
    ['SPAWNER', { items: { results: 'x' }, pipeline: 'c' }, /config\.items\.results: refers to node "x"/],
    ['SPAWNER', { items: [] }, /config: needs either pipeline or node/],
    ['SPAWNER', { items: [], pipeline: 'c', node: { type: 'TRANSFORM', config: { output: 1 } } }, /not both/],
    ['SPAWNER', { items: [], node: { type: 'MERGE' } }, /a MERGE without a spawner/],
    ['SPAWNER', { items: [], pipeline: 'C' }, /config\.pipeline: must be the name of a pipeline/],
    ['SPAWNER', { items: [], pipeline: 'c', priority: 10 }, /config\.priority: must be an integer from 0 to 9/],
    ['HTTP', {}, /config\.url: is required/],
    ['HTTP', { url: 'file:///etc/passwd' }, /must start with http/],
    ['HTTP', { url: 'https://u:p@h/' }, /must not hold credentials/],
    ['HTTP', { url: 'https:///x' }, /must name a host/],
    ['HTTP', { url: 'https://a.example', method: 'FETCH' }, /config\.method: must be one of GET/],
    ['HTTP', { url: 'https://a.example', method: 'POST', redirects: 1 }, /followed for GET and HEAD only/],
    ['HTTP', { url: 'https://a.example', redirects: 6 }, /config\.redirects: must be an integer from 0 to 5/],
    ['HTTP', { url: 'https://a.example', headers: { 'a b': 'x' } }, /is no name of a header/],
    ['HTTP', { url: 'https://a.example', headers: { A: 'x', a: 'y' } }, /is given twice/],
    ['HTTP', { url: 'https://a.example', headers: { a: {} } }, /must be a string, a number or a boolean/],
    ...[
      'Connection',
      'content-length',
      'Expect',
      'keep-alive',
      'proxy-connection',
      'TE',
      'trailer',
      'transfer-encoding',
      'upgrade',
    ].map((name): [string, Json, RegExp] => [
      'HTTP',
      { url: 'https://a.example', headers: { [name]: '${input.x}' } },
      /config\.headers[.[].*: is a header of the connection/,
    ]),
    ['HTTP', { url: 'https://a.example', headers: { a: 'b\n' } }, /config\.headers\.a: holds a line break/],
    ['HTTP', { url: 'https://a.example', headers: { a: 'x\0${input.a}' } }, /config\.headers\.a: holds a line break/],
    ['HTTP', { url: 'https://a.example', headers: { a: '${input.a}–' } }, /config\.headers\.a: holds a line break/],
    ['HTTP', { url: 'https://a.example', headers: { Host: 'a b' } }, /config\.headers\.Host: must be a host/],
    ['HTTP', { url: 'https://a.example:99999/${item}' }, /config\.url: must name a host/],
    ['HTTP', { url: 'https://300.1.1.1/' }, /config\.url: must name a host/],
    ['HTTP', { url: 'https://a%zz.example?x=${item}' }, /config\.url: must name a host/],
    [
      'HTTP',
      { url: 'https://a.example', headers: { 'Content-Type': 'text/csv' }, body: { a: 1 } },
      /config\.body: must be a string/,
    ],
    ['HTTP', { url: 'https://a.example', expect: ['299-200'] }, /must be a range/],
    ['HTTP', { url: 'https://a.example', expect: [99] }, /must be an integer from 100 to 599/],
    ['SHELL', { command: [] }, /must name a program/],
    ['SHELL', { command: 'ls' }, /config\.command: must be a list/],
    ['SHELL', { command: ['ls', null] }, /config\.command\[1\]: must be a string/],
    ['SHELL', { command: ['ls'], env: { 'a-b': 1 } }, /must be named by letters/],
    ['SHELL', { command: ['ls', 'a\0b'] }, /config\.command\[1\]: holds a NUL/],
    ['SHELL', { command: ['ls'], env: { A: 'a\0${item}' } }, /config\.env\.A: holds a NUL/],
    ['SCRIPT', { language: 'ruby', source: 'x' }, /must be one of python, node/],
    ['HANDLER', {}, /config\.handler: is required/],
    ['HANDLER', { handler: '\ud800' }, /config\.handler: must be a well-formed text/],
    ['SIGNAL', { name: 'a\0' }, /config\.name: must be a well-formed text/],
    ['TRANSFORM', {}, /config\.output: is required/],
    ['WAIT', {}, /needs either duration or until/],
    ['WAIT', { duration: '5 minutes' }, /must be a duration of at most 10 years/],
    ['WAIT', { duration: '-5s' }, /must be a duration of at most 10 years/],
    ['WAIT', { duration: '4000d' }, /must be a duration of at most 10 years/],
    ['WAIT', { until: 'tomorrow' }, /must be a time/],
    ['SIGNAL', {}, /config\.name: is required/],
    ['PIPELINE', { pipeline: 'p' }, /spawn recursion/],
    ['MERGE', { tolerateChildFailures: ['TIMED_OUT'] }, /must be one of FAILED, CANCELLED/],
    ['MERGE', { failFast: 'yes' }, /must be true or false/],
  ])('%s %j is refused', (type, value, message) => expect(config(type, value).join('\n')).toMatch(message));

  it('takes headers that a call can carry, with values as templates make them', () => {
    const headers = {
      host: 'virtual.example:8080',
      'x-latin': 'é\t!',
      'x-made': '${input.a + "\u2013"}',
      n: 5,
      authorization: 'Bearer ${secrets.T}',
    };
    expect(
      defects(pipeline([http({ headers }), { ...http({ headers: { host: '${input.host}' } }), id: 'b' }])),
    ).toEqual([]);
  });

  it('gives a look-up no more time than it is really given, and says so', () => {
    const freezing = (more: Json) =>
      defects(
        pipeline([
          { id: 'n', type: 'SPAWNER', config: { items: [], pipeline: 'c', freeze: { node: { ...http(), ...more } } } },
        ]).replaceAll('"id":"call",', ''),
      );
    expect(freezing({ timeout: '45s' })).toEqual([]);
    const handler = { type: 'HANDLER', config: { handler: 'h' } };
    expect(freezing(handler)).toEqual([]);
    for (const timeout of ['45001ms', '30m', '10m'])
      for (const node of [{}, handler])
        expect(freezing({ ...node, timeout })).toEqual([
          'nodes[0].config.freeze.node.timeout: must be at most 45 s for a look-up',
        ]);
  });

  it('destinations belong to nodes that an executor performs', () => {
    const destinations = ['llm', { name: 'tokens', cost: '${item.tokens}' }];
    expect(plan(pipeline([http({}, { destinations })])).nodes[0]!.destinations).toMatchObject([
      { name: 'llm', cost: null },
      { name: 'tokens', cost: { source: '"${item.tokens}"' } },
    ]);
    expect(defects(pipeline([{ ...transform('t'), destinations }]))[0]).toContain('which no executor performs');
    expect(defects(pipeline([http({}, { destinations: ['a', 'a'] })]))[0]).toContain('given twice');
    expect(defects(pipeline([http({}, { destinations: [{ name: 'a', cost: -1 }] })]))[0]).toContain('at least 0');
  });

  it('knows the host of a URL only where no template decides it', () => {
    const host = (url: string) => (plan(pipeline([http({ url })])).nodes[0]!.config as HttpConfig).host;
    expect(host('https://API.example:8443/x')).toBe('api.example:8443');
    expect(host('http://[::1]:80/${item}')).toBe('[::1]:80');
    expect(host('https://api.example?q=${item}')).toBe('api.example');
    expect(host('https://api.example${item}/x')).toBeNull();
    expect(host('https://${item}/x')).toBeNull();
    expect(host('${item.url}')).toBeNull();
  });

  it('leaves script texts alone: they are never templates', () => {
    const command = ['bash', '-ec', 'echo ${HOME} ${item.x} "$1"', '--', '${item.id}', 5, true];
    const made = plan(pipeline([{ id: 's', type: 'SHELL', config: { command, env: { A: '${secrets.A}' } } }]));
    const config = made.nodes[0]!.config as ShellConfig;
    expect(config.command.map((t) => [t.isConstant, t.source])).toEqual([
      [true, '"bash"'],
      [true, '"-ec"'],
      [true, JSON.stringify(command[2])],
      [true, '"--"'],
      [false, '"${item.id}"'],
      [true, '5'],
      [true, 'true'],
    ]);
    const script = { id: 's', type: 'SCRIPT', config: { language: 'node', source: 'console.log(`${foo}`)' } };
    expect(plan(pipeline([script])).nodes[0]!.config).toMatchObject({ source: 'console.log(`${foo}`)' });
  });
});
