import { readFileSync } from 'node:fs';
import { decideProgress, parsePipeline, type ExecutionSnapshot, type Plan, type TaskSnapshot } from '@app/domain';

const document = readFileSync('docs/joins.md', 'utf8');
const cells = document
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
const joins = cells[0]!.slice(2);
const rows = cells.slice(2);

const upstreamStates = ['succeeded', 'failed', 'cancelled', 'skipped', 'condition false', 'still running'];

/** `root` leads to both upstream nodes, and they to `down`; what is skipped is so by a false condition on its edge from `root`. */
function planOf(states: Record<'a' | 'b', string>, join: string): Plan {
  const node = (id: string, more = {}) => ({ id, type: 'HANDLER', config: { handler: 'h' }, ...more });
  const edge = (from: string, to: string, taken: boolean) => ({ from, to, ...(taken ? {} : { condition: 'false' }) });
  const parsed = parsePipeline(
    JSON.stringify({
      name: 'p',
      nodes: [node('root'), node('a'), node('b'), node('down', { join })],
      edges: (['a', 'b'] as const).flatMap((id) => [
        edge('root', id, states[id] !== 'skipped'),
        edge(id, 'down', states[id] !== 'condition false'),
      ]),
    }),
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
  return parsed.plan;
}

/** Everything that ends, ends at once. */
function snapshotOf(states: Record<'a' | 'b', string>): ExecutionSnapshot {
  const task = (node: number, state: string): [number, TaskSnapshot][] => {
    if (state === 'skipped') return [];
    const failed = state === 'failed' || state === 'cancelled';
    const whole: TaskSnapshot = {
      node,
      state: state === 'still running' ? 'running' : 'recorded',
      attempt: 1,
      charged: 1,
      snoozes: 0,
      losses: 0,
      outcome: state === 'still running' ? null : failed ? (state as 'failed' | 'cancelled') : 'succeeded',
      snoozeMs: null,
      error: failed ? '{"class":"PERMANENT","code":"X","message":"x"}' : null,
      output: null,
    };
    return [[node, whole]];
  };
  const id = '018bcfe5-6800-7000-8000-000000000000';
  return {
    id,
    seq: 1,
    state: 'running',
    nowMs: 0,
    fanOutId: null,
    rootId: id,
    parentId: null,
    input: null,
    item: null,
    itemIndex: null,
    labels: null,
    tasks: new Map([...task(0, 'succeeded'), ...task(1, states.a), ...task(2, states.b)]),
    fanOuts: new Map(),
    firedTimers: [],
    signals: [],
  };
}

function fateOf(states: Record<'a' | 'b', string>, join: string): string {
  const decision = decideProgress(planOf(states, join), snapshotOf(states), () => 0.5)!;
  const down = decision.tasks.find((t) => t.node === 3);
  if (down) return { pending: 'runs', skipped: 'is skipped' }[down.to as string] ?? down.to;
  return decision.to === 'running' ? 'waits' : 'never runs';
}

describe('the published table of joins', () => {
  it('has a row for every pair of upstream states, and a column for every join', () => {
    expect(joins).toEqual(['ALL_SUCCEEDED', 'ALL_DONE', 'ANY_SUCCEEDED']);
    const pairs = upstreamStates.flatMap((a, i) => upstreamStates.slice(i).map((b) => `${a}, ${b}`));
    expect(rows.map(([a, b]) => `${a}, ${b}`).sort()).toEqual(pairs.sort());
  });

  it.each(rows)('holds for %s and %s', (one, other, ...fates) => {
    joins.forEach((join, i) => {
      expect([join, fateOf({ a: one!, b: other! }, join)]).toEqual([join, fates[i]]);
      expect([join, fateOf({ a: other!, b: one! }, join)]).toEqual([join, fates[i]]);
    });
  });
});
