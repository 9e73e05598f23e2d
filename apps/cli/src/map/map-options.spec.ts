import { mapPipeline } from './map-pipeline.js';
import { readMapOptions, type GivenOptions } from './map-options.js';

const read = (given: GivenOptions, command: readonly string[] = [], file = 'rows.csv') =>
  readMapOptions(file, command, given);
const columns = { names: ['id'] };
const nodeOf = (given: GivenOptions, command: readonly string[] = []) => {
  const pipeline = mapPipeline('map-x', 'map-x', read(given, command), columns) as {
    nodes: { config: { node: { config: Record<string, unknown> } } & Record<string, unknown> }[];
  };
  return pipeline.nodes;
};

describe('what a map is asked for', () => {
  it.each([
    ['50/s', { limit: 50, per: '1s' }],
    ['600/m', { limit: 600, per: '1m' }],
    ['1000/h', { limit: 1000, per: '1h' }],
  ])('a rate of %s', (rate, expected) => {
    expect(read({ post: 'http://x', rate }).rate).toEqual(expected);
  });

  it.each([
    ['5%', { ratio: 0.05 }],
    ['0.5%', { ratio: 0.005 }],
    ['20', { count: 20 }],
    ['0', { count: 0 }],
  ])('a halt of %s', (halt, expected) => {
    expect(read({ post: 'http://x', halt }).halt).toEqual(expected);
  });

  it.each<[string, GivenOptions, string[]]>([
    ['nothing to do', {}, []],
    ['two things to do', { post: 'http://x' }, ['echo']],
    ['two calls', { post: 'http://x', get: 'http://x' }, []],
    ['no URL', { post: 'localhost:80' }, []],
    ['a rate without a unit', { post: 'http://x', rate: '50' }, []],
    ['a rate of nothing', { post: 'http://x', rate: '0/s' }, []],
    ['a share over all', { post: 'http://x', halt: '101%' }, []],
    ['a time without a unit', { post: 'http://x', timeout: '10' }, []],
    ['no time', { post: 'http://x', timeout: '0s' }, []],
    ['half a row', { post: 'http://x', halt: '1.5' }, []],
    ['no places', { post: 'http://x', jobs: '0' }, []],
    ['a name that no pipeline can have', { post: 'http://x', name: 'My Run' }, []],
    ['everything and only what failed', { post: 'http://x', fresh: true, retryFailed: true }, []],
    ['a header of a command', { header: ['a: b'] }, ['echo']],
  ])('is refused: %s', (_, given, command) => {
    expect(() => read(given, command)).toThrow(expect.objectContaining({ name: 'UsageError' }) as Error);
  });

  it('a list of an unknown format is refused, and told one it is taken', () => {
    expect(() => read({ post: 'http://x' }, [], 'rows')).toThrow('--format');
    expect(read({ post: 'http://x', format: 'ndjson' }, [], 'rows').format).toBe('ndjson');
    expect(read({ post: 'http://x' }, [], 'rows.jsonl').format).toBe('ndjson');
  });
});

describe('the pipeline of a map', () => {
  it('gives values to a script as arguments, and never a value in it', () => {
    const [rows] = nodeOf({}, ['sh', '-c', 'echo ${HOME} "$1"', 'sh', '{id}']);
    expect(rows!.config.node.config).toEqual({ command: ['sh', '-c', 'echo ${HOME} "$1"', 'sh', '${item["id"]}'] });
    expect(() => nodeOf({}, ['sh', '-c', 'echo {id}'])).toThrow('use it as "$1"');
    expect(() => nodeOf({}, ['env', 'A=1', 'bash', '-ec', 'echo {id}'])).toThrow('use it as "$1"');
  });

  it('gives a command that names nothing of its row the row to read', () => {
    const [rows] = nodeOf({}, ['jq', '.id']);
    expect(rows!.config.node.config).toEqual({ command: ['jq', '.id'], stdin: '${item}' });
  });

  it('sends the row, or what the body says', () => {
    expect(nodeOf({ post: 'http://x/{id}' })[0]!.config.node.config).toEqual({
      method: 'POST',
      url: 'http://x/${item["id"]}',
      body: '${item}',
    });
    expect(nodeOf({ put: 'http://x', body: '{"to": ["{id}"], "n": 1}' })[0]!.config.node.config.body).toEqual({
      to: ['${item["id"]}'],
      n: 1,
    });
  });

  it('takes a secret from the engine and not into the definition', () => {
    const [rows] = nodeOf({ post: 'http://x', header: ['authorization: Bearer {secrets.TOKEN}'] });
    expect(rows!.config.node.config.headers).toEqual({ authorization: 'Bearer ${secrets.TOKEN}' });
  });

  it('bears what --halt says, and without it runs all rows and bears nothing', () => {
    expect(nodeOf({ post: 'http://x' })[1]!.config).toEqual({});
    expect(nodeOf({ post: 'http://x', halt: '5%' })[1]!.config).toMatchObject({
      failureTolerance: { maxFailureRatio: 0.05 },
      failFast: true,
    });
  });
});
