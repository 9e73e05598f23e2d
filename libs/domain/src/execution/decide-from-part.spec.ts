import { parsePipeline } from '../pipeline/parse-pipeline.js';
import { isPerformed, type Plan } from '../pipeline/plan.js';
import { isLacking, type ExecutionDecision } from './execution-decision.js';
import { layOut } from './lay-out.js';
import { NodeSet } from './node-set.js';
import { decideFromPart, decideProgress } from './progress.js';
import { reachOf, type Looks } from './reach.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';

const id = '018bcfe5-6800-7000-8000-000000000000';

/** Numbers from 0 to below 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1664525) + 1013904223) >>> 0;
    return at / 2 ** 32;
  };
}

function parsed(definition: object): Plan {
  const result = parsePipeline(JSON.stringify({ name: 'p', ...definition }));
  if (!result.ok) throw new Error(JSON.stringify(result.defects));
  return result.plan;
}

/** A graph of several kinds of nodes, joins and conditions; its last node stands behind very many. */
function graph(random: () => number, size: number): Plan {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const edges: object[] = [];
  const ways = new Set<string>();
  const lead = (from: number, to: number) => {
    if (from === to || ways.has(`${from} ${to}`)) return;
    ways.add(`${from} ${to}`);
    const condition = pick([
      null,
      null,
      null,
      'false',
      `nodes.n${from}.state == "FAILED"`,
      `nodes.n${from}.output == 1`,
    ]);
    edges.push({ from: `n${from}`, to: `n${to}`, ...(condition ? { condition } : {}) });
  };
  const nodes = Array.from({ length: size }, (_, n) => {
    const join = pick(['ALL_SUCCEEDED', 'ALL_SUCCEEDED', 'ALL_DONE', 'ANY_SUCCEEDED']);
    let upstream = n;
    if (n > 2) {
      upstream = Math.floor(random() * n);
      for (let i = 0; i < 1 + random() * 3; i++) lead(Math.max(0, n - 1 - Math.floor(random() * 6)), n);
    }
    const read = edges.length > 0 && n > 2 ? /"from":"n(\d+)"/.exec(JSON.stringify(edges.at(-1)))![1] : null;
    return random() < 0.3 && upstream >= 0
      ? { id: `n${n}`, type: 'TRANSFORM', join, config: { output: read ? `\${nodes.n${read}.state}` : '1' } }
      : { id: `n${n}`, type: 'HANDLER', join, config: { handler: 'h' } };
  });
  for (let n = 0; n < size - 1; n++) if (random() < 0.8) lead(n, size - 1);
  return parsed({ nodes, edges });
}

/** What the database holds of one execution. */
class Stored {
  readonly tasks = new Map<number, TaskSnapshot>();
  state: ExecutionSnapshot['state'] = 'pending';
  open = 0;
  dead = NodeSet.none;
  private readonly openFrom = new Map<number, number>();
  loaded = 0;

  constructor(private readonly plan: Plan) {}

  whole(): ExecutionSnapshot {
    return this.snapshot(new Map(this.tasks));
  }

  fromPart(about: readonly number[]): ExecutionDecision | null {
    let known = new Set<number>();
    const looks = new Map<number, Map<never, number | null>>() as unknown as Map<number, Map<unknown, number | null>>;
    let lacks: readonly number[] = about;
    for (let round = 0; ; round++) {
      const reach = reachOf(this.plan, lacks, { round, openFrom: (node) => this.openFrom.get(node) ?? 0 });
      known = new Set([...known, ...reach.nodes]);
      for (const [node, edges] of reach.looks) looks.set(node, new Map([...(looks.get(node) ?? []), ...edges]));
      this.loaded += reach.nodes.size;
      const there = [...this.tasks].filter(([node]) => known.has(node));
      // an output that nobody said to read is not there
      const tasks = new Map(there.map(([n, t]) => [n, reach.outputs.has(n) || round > 0 ? t : { ...t, output: null }]));
      const part = { about: new Set(about), known, looks: looks as Looks, open: this.open, dead: this.dead };
      const decision = decideFromPart(this.plan, { ...this.snapshot(tasks), part }, () => 0.5);
      if (!isLacking(decision)) return decision;
      if (decision.lacks === 'all') return decideProgress(this.plan, this.whole(), () => 0.5);
      lacks = decision.lacks;
      if (round > 40) throw new Error(`it lacks ${lacks.join()} for ever`);
    }
  }

  commit(decision: ExecutionDecision): void {
    this.state = decision.to;
    for (const c of decision.tasks) {
      const before = this.tasks.get(c.node) ?? { ...fresh, node: c.node };
      expect(c.from).toBe(this.tasks.get(c.node)?.state ?? null);
      this.tasks.set(c.node, {
        ...before,
        state: c.to,
        output: c.output ?? before.output,
        error: c.error ?? before.error,
      });
    }
    this.open = decision.standing!.open;
    this.dead = decision.standing!.dead;
    for (const [node, position] of decision.openFrom) this.openFrom.set(node, position);
  }

  private snapshot(tasks: ExecutionSnapshot['tasks']): ExecutionSnapshot {
    return {
      id,
      seq: 1,
      state: this.state,
      nowMs: 0,
      fanOutId: null,
      rootId: id,
      parentId: null,
      input: null,
      item: null,
      itemIndex: null,
      labels: null,
      tasks,
      fanOuts: new Map(),
      firedTimers: [],
      signals: [],
      large: true,
    };
  }
}

const failed = '{"class":"PERMANENT","code":"X","message":"x"}';

const fresh: Omit<TaskSnapshot, 'node'> = {
  state: 'pending',
  attempt: 1,
  charged: 9,
  snoozes: 0,
  losses: 0,
  outcome: null,
  snoozeMs: null,
  error: null,
  output: null,
};

/** All that a decision does, whatever the order. */
const effect = (decision: ExecutionDecision | null) =>
  decision && {
    to: decision.to,
    error: decision.error,
    tasks: [...decision.tasks].sort((a, b) => a.node - b.node),
    events: decision.events.map((e) => JSON.stringify(e)).sort(),
    comebacks: decision.comebacks.map((c) => c.node).sort((a, b) => a - b),
    open: decision.standing!.open,
    dead: Array.from({ length: 200 }, (_, n) => n).filter((n) => decision.standing!.dead.has(n)),
  };

describe('a decision from a part of the tasks', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('is the one from all of them (graph %i)', (seed) => {
    const random = numbers(seed * 7919 + 1);
    const plan = graph(random, 20 + Math.floor(random() * 120));
    const stored = new Stored(plan);
    stored.commit(layOut(plan, stored.whole(), () => 0.5)!);
    for (let turn = 0; stored.state !== 'succeeded' && stored.state !== 'failed'; turn++) {
      const waiting = [...stored.tasks.values()].filter(
        (t) => t.state === 'pending' && isPerformed(plan.nodes[t.node]!.type),
      );
      const ends = waiting.filter(() => random() < 0.4);
      if (ends.length === 0) ends.push(waiting[0]!);
      for (const task of ends) {
        const fails = random() < 0.3;
        const error = fails ? failed : null;
        const output = fails ? null : String(Math.round(random()));
        stored.tasks.set(task.node, {
          ...task,
          state: 'recorded',
          outcome: fails ? 'failed' : 'succeeded',
          error,
          output,
        });
      }
      const whole = decideProgress(plan, stored.whole(), () => 0.5);
      const part = stored.fromPart(ends.map((t) => t.node));
      expect(effect(part)).toEqual(effect(whole));
      stored.commit(part!);
      expect(turn).toBeLessThan(1_000);
    }
  });

  it('goes on in the next one where an orchestrator has run enough', () => {
    const count = 1_000;
    const plan = parsed({
      nodes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'TRANSFORM', config: { output: '1' } })),
      edges: Array.from({ length: count - 1 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` })),
    });
    const stored = new Stored(plan);
    let decision = layOut(plan, stored.whole(), () => 0.5);
    let turns = 1;
    for (; decision && decision.continues.length > 0; turns++) {
      expect(decision.tasks.length).toBeLessThanOrEqual(202);
      stored.commit(decision);
      decision = stored.fromPart(decision.continues);
    }
    expect(decision!.to).toBe('succeeded');
    expect(turns).toBe(5);
  });

  it('reads a few tasks, also where very many lead to one node or away from it', () => {
    const count = 2_000;
    const handler = (id: string) => ({ id, type: 'HANDLER', config: { handler: 'h' } });
    const middle = Array.from({ length: count }, (_, n) => `m${n}`);
    const plan = parsed({
      nodes: [...middle.map(handler), handler('last')],
      edges: middle.map((from) => ({ from, to: 'last' })),
    });
    const stored = new Stored(plan);
    stored.commit(layOut(plan, stored.whole(), () => 0.5)!);
    const random = numbers(5);
    const order = middle.map((_, n) => n).sort(() => random() - 0.5);
    for (const node of order) {
      stored.tasks.set(node, { ...stored.tasks.get(node)!, state: 'recorded', outcome: 'succeeded' });
      stored.commit(stored.fromPart([node])!);
    }
    expect(stored.tasks.get(count)?.state).toBe('pending');
    expect(stored.loaded / count).toBeLessThan(30);
  });

  it('lets a chain of thousands that can never run be at once', () => {
    const count = 5_000;
    const plan = parsed({
      nodes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'HANDLER', config: { handler: 'h' } })),
      edges: Array.from({ length: count - 1 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` })),
    });
    const stored = new Stored(plan);
    stored.commit(layOut(plan, stored.whole(), () => 0.5)!);
    stored.tasks.set(0, { ...stored.tasks.get(0)!, state: 'recorded', outcome: 'failed', error: failed });
    expect(stored.fromPart([0])!.to).toBe('failed');
    expect(stored.loaded).toBeLessThan(4 * count);
  });
});
