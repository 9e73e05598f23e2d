import { parsePipeline } from '../parse-pipeline.js';

const call = { method: 'POST', url: 'http://localhost/' };
const parsed = (onPressure: unknown) =>
  parsePipeline(
    JSON.stringify(
      {
        name: 'p',
        nodes: [
          { id: 'read', type: 'HTTP', config: call },
          { id: 'later', type: 'WAIT', config: { duration: '1s' } },
          { id: 'fan', type: 'SPAWNER', config: { items: [1], node: { type: 'HTTP', config: call }, onPressure } },
          { id: 'report', type: 'HTTP', config: call },
        ],
        edges: [
          { from: 'read', to: 'later' },
          { from: 'later', to: 'fan' },
          { from: 'fan', to: 'report' },
        ],
      },
      null,
      2,
    ),
  );

const yielding = (onPressure: unknown) => {
  const result = parsed(onPressure);
  if (!result.ok) throw new Error(result.defects[0]?.message);
  return result.plan.nodes.filter((node) => node.yields).map((node) => node.id);
};

const refused = (onPressure: unknown) => {
  const result = parsed(onPressure);
  return result.ok ? [] : result.defects.map(({ path, message }) => `${path}: ${message}`);
};

describe('onPressure of a spawner', () => {
  it('names the upstream node that gives way', () => {
    expect(yielding({ pause: 'read' })).toEqual(['read']);
  });

  it('defers the fan-out where it names none', () => {
    expect([yielding('DEFER'), yielding(undefined)]).toEqual([[], []]);
  });

  it.each([
    [{ pause: 'nobody' }, 'nodes[2].config.onPressure.pause: refers to node "nobody", which does not exist'],
    [{ pause: 'report' }, 'nodes[2].config.onPressure.pause: refers to node report, which is not upstream of fan'],
    [{ pause: 'later' }, 'nodes[2].config.onPressure.pause: later is a WAIT, which no executor performs'],
    [{ pause: 'fan' }, 'nodes[2].config.onPressure.pause: fan is a SPAWNER, which no executor performs'],
    [{}, 'nodes[2].config.onPressure.pause: is required'],
    [{ pause: 'read', resume: 1 }, 'nodes[2].config.onPressure.resume: unknown field'],
    ['PAUSE', 'nodes[2].config.onPressure: must be "DEFER" or {"pause": "<node>"}, is "PAUSE"'],
  ])('%j is refused with its path', (onPressure, message) => {
    expect(refused(onPressure)).toEqual([message]);
  });

  it('has nothing to pause where a spawner is alone in another one', () => {
    const inner = { items: [1], node: { type: 'HTTP', config: call }, onPressure: { pause: 'read' } };
    const text = JSON.stringify({
      name: 'p',
      nodes: [
        { id: 'read', type: 'HTTP', config: call },
        { id: 'fan', type: 'SPAWNER', config: { items: [[1]], node: { type: 'SPAWNER', config: inner } } },
      ],
      edges: [{ from: 'read', to: 'fan' }],
    });
    const result = parsePipeline(text);
    expect(result.ok ? [] : result.defects.map(({ path }) => path)).toEqual([
      'nodes[1].config.node.config.onPressure.pause',
    ]);
  });
});
