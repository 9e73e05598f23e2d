import { parsePipeline } from '../parse-pipeline.js';

const defects = (rollout: unknown): string[] => {
  const node = {
    id: 'fan',
    type: 'SPAWNER',
    config: { items: [1], node: { type: 'TRANSFORM', config: { output: 1 } }, rollout },
  };
  const parsed = parsePipeline(JSON.stringify({ name: 'p', nodes: [node], edges: [] }));
  return parsed.ok ? [] : parsed.defects.map(({ path, message }) => `${path}: ${message}`);
};

it('a rollout is refused beside a merge that fails fast and lets the rest run', () => {
  const fan = { id: 'fan', type: 'SPAWNER', config: { items: [1], pipeline: 'x', rollout: [{ items: 1 }] } };
  const join = { id: 'join', type: 'MERGE', config: { failFast: true, remaining: 'RUN' } };
  const parsed = parsePipeline(JSON.stringify({ name: 'p', nodes: [fan, join], edges: [{ from: 'fan', to: 'join' }] }));
  expect(parsed.ok ? [] : parsed.defects).toMatchObject([
    { path: 'nodes[1].config.remaining', message: 'must be CANCEL with failFast, as fan has a rollout' },
  ]);
});

describe('the stages of a rollout', () => {
  it('are cumulative shares or numbers of the items', () => {
    expect(defects([{ items: 100, maxFailureRatio: 0.01 }, { ratio: 0.1 }, { ratio: 1, approval: true }])).toEqual([]);
  });

  it.each([
    [[], 'nodes[0].config.rollout: must have 1 to 100 stages, has 0'],
    [[{}], 'nodes[0].config.rollout[0]: needs either items or ratio'],
    [[{ items: 1, ratio: 0.5 }], 'nodes[0].config.rollout[0]: needs either items or ratio'],
    [[{ ratio: 0 }], 'nodes[0].config.rollout[0].ratio: must be more than 0'],
    [[{ ratio: 1.5 }], 'nodes[0].config.rollout[0].ratio: must be a number from 0 to 1, is 1.5'],
    [
      [{ items: 10 }, { items: 10 }],
      'nodes[0].config.rollout[1]: must release more than the stage before; stages are cumulative',
    ],
    [
      [{ ratio: 0.5 }, { ratio: 0.2 }],
      'nodes[0].config.rollout[1]: must release more than the stage before; stages are cumulative',
    ],
    [
      [{ ratio: 1 }, { items: 5 }],
      'nodes[0].config.rollout[1]: must release more than the stage before; stages are cumulative',
    ],
    [[{ items: 5, wait: 1 }], 'nodes[0].config.rollout[0].wait: unknown field'],
  ])('%j is refused with its place', (rollout, defect) => {
    expect(defects(rollout)).toEqual([defect]);
  });
});
