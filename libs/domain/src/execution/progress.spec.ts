import { parsePipeline } from '../pipeline/parse-pipeline.js';
import type { Plan } from '../pipeline/plan.js';
import { decideProgress } from './progress.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';

function plan(nodes: Record<string, string>, edges: [string, string][]): Plan {
  const parsed = parsePipeline(
    JSON.stringify({
      name: 'p',
      nodes: Object.entries(nodes).map(([id, join]) => ({ id, type: 'HANDLER', join, config: { handler: 'h' } })),
      edges: edges.map(([from, to]) => ({ from, to })),
    }),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
  return parsed.plan;
}

function running(p: Plan, tasks: Record<string, Partial<TaskSnapshot>>): ExecutionSnapshot {
  return {
    id: '018bcfe5-6800-7000-8000-000000000000',
    seq: 1,
    state: 'running',
    nowMs: 0,
    fanOutId: null,
    rootId: '018bcfe5-6800-7000-8000-000000000000',
    parentId: null,
    input: null,
    item: null,
    itemIndex: null,
    labels: null,
    tasks: new Map(
      Object.entries(tasks).map(([id, task]) => {
        const node = p.nodes.findIndex((n) => n.id === id);
        const whole: TaskSnapshot = {
          node,
          state: 'pending',
          attempt: 1,
          charged: 1,
          snoozes: 0,
          losses: 0,
          outcome: null,
          snoozeMs: null,
          error: null,
          output: null,
          ...task,
        };
        return [node, whole];
      }),
    ),
    fanOuts: new Map(),
    firedTimers: [],
    signals: [],
  };
}

const change = (p: Plan, snapshot: ExecutionSnapshot, id: string) =>
  decideProgress(p, snapshot, () => 0)?.tasks.find((t) => p.nodes[t.node]!.id === id);

describe('a node with several inputs', () => {
  const any = plan({ a: 'ALL_SUCCEEDED', b: 'ALL_SUCCEEDED', c: 'ANY_SUCCEEDED' }, [
    ['a', 'c'],
    ['b', 'c'],
  ]);
  const recorded = { state: 'recorded', outcome: 'succeeded' } as const;

  it('begins at its first input', () => {
    expect(change(any, running(any, { a: recorded, b: { state: 'running' } }), 'c')).toMatchObject({
      from: null,
      to: 'pending',
    });
  });

  it('that waits for its next attempt is not begun again by another input', () => {
    const waiting = running(any, { a: { state: 'succeeded' }, b: recorded, c: { state: 'pending', attempt: 1 } });
    expect(change(any, waiting, 'c')).toBeUndefined();
    const admitted = running(any, { a: { state: 'succeeded' }, b: recorded, c: { state: 'pending', attempt: 0 } });
    expect(change(any, admitted, 'c')).toBeUndefined();
  });

  it('that is to run again begins when what comes before it has settled anew', () => {
    const again = running(any, { a: { state: 'succeeded' }, b: recorded, c: { state: 'pending', unbegun: true } });
    expect(change(any, again, 'c')).toMatchObject({ from: 'pending', to: 'pending' });
  });

  it('does not wait for an input that can not run any more, also where it had run before', () => {
    const done = plan({ a: 'ALL_SUCCEEDED', b: 'ALL_SUCCEEDED', c: 'ALL_SUCCEEDED', d: 'ALL_DONE' }, [
      ['a', 'c'],
      ['c', 'd'],
      ['b', 'd'],
    ]);
    const snapshot = running(done, {
      a: { state: 'failed', error: '{}' },
      b: recorded,
      c: { state: 'pending', unbegun: true },
      d: { state: 'pending', unbegun: true },
    });
    expect(change(done, snapshot, 'd')).toMatchObject({ from: 'pending', to: 'pending' });
  });
});
