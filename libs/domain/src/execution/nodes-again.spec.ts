import { parsePipeline } from '../pipeline/parse-pipeline.js';
import type { Plan } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';
import { nodesAgain } from './nodes-again.js';

/** Nodes in the order they are named; edges as `a>b`. */
function plan(nodes: string, edges: string): Plan {
  const parsed = parsePipeline(
    JSON.stringify({
      name: 'p',
      nodes: nodes.split(' ').map((id) => ({ id, type: 'HANDLER', join: 'ALL_DONE', config: { handler: 'h' } })),
      edges: edges
        .split(' ')
        .map((edge) => edge.split('>'))
        .map(([from, to]) => ({ from, to })),
    }),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
  return parsed.plan;
}

function again(p: Plan, states: Record<string, TaskState>): { begin: string[]; follow: string[] } {
  const index = (id: string) => p.nodes.findIndex((n) => n.id === id);
  const { begin, follow } = nodesAgain(p, new Map(Object.entries(states).map(([id, state]) => [index(id), state])));
  const names = (nodes: readonly number[]) => nodes.map((n) => p.nodes[n]!.id).sort();
  return { begin: names(begin), follow: names(follow) };
}

describe('the nodes that run again', () => {
  const chain = plan('a b c d', 'a>b b>c c>d');

  it('are those that failed or were cancelled, not those that succeeded', () => {
    expect(again(chain, { a: 'succeeded', b: 'failed' })).toEqual({ begin: ['b'], follow: [] });
    expect(again(chain, { a: 'cancelled' })).toEqual({ begin: ['a'], follow: [] });
    expect(again(chain, { a: 'succeeded', b: 'succeeded' })).toEqual({ begin: [], follow: [] });
  });

  it('wait for those before them that run again, at any distance', () => {
    expect(again(chain, { a: 'failed', b: 'failed' })).toEqual({ begin: ['a'], follow: ['b'] });
    expect(again(chain, { a: 'failed', b: 'succeeded', c: 'succeeded', d: 'cancelled' })).toEqual({
      begin: ['a'],
      follow: ['d'],
    });
  });

  it('are with them what was skipped behind them, and nothing that was skipped elsewhere', () => {
    const fork = plan('a b c x y', 'a>b b>c x>y');
    expect(again(fork, { a: 'failed', b: 'skipped', c: 'skipped', x: 'succeeded', y: 'skipped' })).toEqual({
      begin: ['a'],
      follow: ['b', 'c'],
    });
  });

  it('begin side by side where neither comes before the other', () => {
    const fork = plan('a b c', 'a>c b>c');
    expect(again(fork, { a: 'failed', b: 'failed', c: 'failed' })).toEqual({ begin: ['a', 'b'], follow: ['c'] });
  });
});
