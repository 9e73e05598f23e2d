import { eventSpan, type Comeback, type ExecutionDecision, type PlannedNode } from '@app/domain';
import { destinationsOf } from '../plan-source.js';
import type { Decided } from './decided.js';
import type { LoadedExecution } from './snapshot-store.js';

/** Parameters of `move-executions`, in id order. */
export function movedExecutions(decided: readonly Decided[]): unknown[] {
  const sorted = [...decided].sort((a, b) => (a.decision.snapshot.id < b.decision.snapshot.id ? -1 : 1));
  const column = <T>(read: (d: ExecutionDecision) => T): T[] => sorted.map((d) => read(d.decision));
  return [
    column((d) => d.snapshot.id),
    column((d) => d.snapshot.seq),
    column((d) => d.snapshot.state),
    column((d) => d.to),
    column((d) => d.events.reduce((n, e) => n + eventSpan(e.kind), 0)),
    column((d) => d.starts),
    column((d) => d.error),
    column((d) => d.fingerprint),
    column((d) => d.standing?.open ?? null),
    column((d) => (d.standing && d.standing.dead.bytes.length > 0 ? Buffer.from(d.standing.dead.bytes) : null)),
  ];
}

/** Parameters of `apply-changes`. */
export function changesOf(done: readonly Decided[]): unknown[] {
  const tasks = done.flatMap(({ decision }) => decision.tasks.map((t) => ({ id: decision.snapshot.id, ...t })));
  const events = done.flatMap(({ decision }) => {
    let seq = decision.snapshot.seq;
    return decision.events.map((e) => {
      const first = seq + 1;
      seq += eventSpan(e.kind);
      return { id: decision.snapshot.id, seq: first, ...e };
    });
  });
  return [
    tasks.map((t) => t.id),
    tasks.map((t) => t.node),
    tasks.map((t) => t.from),
    tasks.map((t) => t.to),
    tasks.map((t) => t.availableInMs),
    tasks.map((t) => t.charged),
    tasks.map((t) => t.snoozes),
    tasks.map((t) => t.losses),
    tasks.map((t) => t.output),
    tasks.map((t) => t.error),
    events.map((e) => e.id),
    events.map((e) => e.seq),
    events.map((e) => e.kind),
    events.map((e) => e.node),
    events.map((e) => e.attempt),
    events.map((e) => e.data),
  ];
}

export interface ComebackRow {
  readonly c: Comeback;
  readonly execution: LoadedExecution;
  readonly node: PlannedNode;
}

export function comebacksOf(done: readonly Decided[]): ComebackRow[] {
  return done.flatMap(({ execution, decision }) =>
    decision.comebacks.map((c) => ({ c, execution, node: execution.at.plan.nodes[c.node]! })),
  );
}

/** Queues in which something may be admitted at once. */
export function queuesOf(rows: readonly ComebackRow[]): string[] {
  return [...new Set(rows.filter((r) => r.c.delayMs === 0).map((r) => r.node.queue))];
}

/** Parameters of `come-back`. */
export function comebackColumns(rows: readonly ComebackRow[]): unknown[] {
  return [
    rows.map((r) => r.execution.snapshot.id),
    rows.map((r) => r.c.node),
    rows.map((r) => r.node.queue),
    rows.map((r) => r.execution.snapshot.rootId),
    rows.map((r) => r.execution.snapshot.parentId),
    rows.map((r) => r.execution.snapshot.fanOutId),
    rows.map((r) => r.execution.at.versionId),
    rows.map((r) => JSON.stringify(r.execution.at.path)),
    rows.map((r) => r.execution.priority),
    rows.map((r) => r.c.child),
    rows.map((r) => r.c.suspect),
    rows.map((r) => JSON.stringify(destinationsOf(r.execution.at, r.node))),
    rows.map((r) => r.c.delayMs),
    rows.map((r) => r.node.criticalPath),
  ];
}
