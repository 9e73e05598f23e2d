/**
 * Runs executions in memory. What happens is decided by the functions that the engine itself decides by: laying out and
 * progress, retries, verdicts, templates. What stands here is what the engine's services do around them: children begin as
 * their limit allows, attempts are performed and recorded, timers fire, verdicts are asked for whenever a child settles.
 */
import {
  decideProgress,
  decideVerdict,
  layOut,
  moveTally,
  type ExecutionDecision,
  type FailureTolerance,
  type FiredTimer,
  type Outcome,
  type PlannedNode,
} from '@app/domain';
import { spawnChildren, type Catalogue } from './memory-fan-out.js';
import type { MemoryExecution, MemoryFanOut, MemoryTask } from './memory-execution.js';
import type { MemoryPerformer } from './memory-performer.js';
import type { VirtualTime } from './virtual-time.js';

/** Which attempt is asked about: how long it takes. */
export interface Taking {
  readonly nodeId: string;
  readonly attempt: number;
  readonly itemIndex: number | null;
}

const strict: FailureTolerance = { kinds: [], maxFailureRatio: null, maxFailureCount: null };

export class MemoryEngine {
  private fanOuts = 0;
  private readonly startedAt: number;

  constructor(
    private readonly time: VirtualTime,
    private readonly performer: MemoryPerformer,
    private readonly catalogue: Catalogue,
    private readonly chance: () => number,
    /** Virtual milliseconds. */
    private readonly takes: (of: Taking) => number,
  ) {
    this.startedAt = time.nowMs;
  }

  start(execution: MemoryExecution): void {
    this.time.after(0, () => this.decide(execution));
  }

  signal(execution: MemoryExecution, id: number, name: string, body: string): void {
    if (execution.isOver) return;
    execution.signals.push({ id, name, body });
    this.decide(execution);
  }

  private decide(execution: MemoryExecution, fired: readonly FiredTimer[] = []): void {
    let timers = fired;
    while (!execution.isOver) {
      const { plan } = execution;
      const snapshot = execution.snapshot(this.time.nowMs, timers);
      const decision = layOut(plan, snapshot, this.chance) ?? decideProgress(plan, snapshot, this.chance);
      if (!decision) return;
      timers = [];
      this.carryOut(execution, decision);
    }
  }

  private carryOut(execution: MemoryExecution, decision: ExecutionDecision): void {
    execution.apply(decision, this.time.nowMs);
    for (const { node, delayMs } of decision.comebacks) this.time.after(delayMs, () => this.attempt(execution, node));
    for (const { kind, node, dueMs } of decision.timers)
      this.time.at(dueMs, () => this.fire(execution, { kind, node }));
    for (const spawner of decision.spawns) this.time.after(0, () => this.spawn(execution, execution.node(spawner)));
    for (const fanOut of execution.fanOuts.values()) if (decision.abandons.includes(fanOut.id)) this.cancelRest(fanOut);
    if (execution.isOver) this.settled(execution, 'running');
  }

  private fire(execution: MemoryExecution, timer: { kind: string; node: number }): void {
    if (execution.isOver) return;
    const task = execution.tasks.get(timer.node);
    // An attempt that runs is fenced out: what it ends with later changes nothing.
    if (timer.kind.startsWith('edge:') && task?.state === 'running') {
      task.state = 'pending';
      task.token++;
    }
    this.decide(execution, [timer]);
  }

  private async attempt(execution: MemoryExecution, index: number): Promise<void> {
    const task = execution.tasks.get(index);
    if (execution.isOver || task?.state !== 'pending') return;
    const node = execution.node(index);
    if (execution.state !== 'running') execution.startedMs = this.time.nowMs;
    execution.state = 'running';
    task.state = 'running';
    task.attempt++;
    task.charged++;
    const token = ++task.token;
    const startedMs = this.time.nowMs - this.startedAt;
    const outcome = await this.performer.perform(execution, node, task, this.time.nowMs);
    const itemIndex = execution.lineage?.index ?? null;
    const takes = this.takes({ nodeId: node.id, attempt: task.attempt, itemIndex });
    const isLate = node.timeoutMs !== null && takes > node.timeoutMs;
    this.time.after(isLate ? node.timeoutMs! : takes, () => {
      if (task.token !== token || task.state !== 'running' || execution.isOver) return;
      record(task, isLate ? 'late' : outcome, node);
      const error = task.outcome === 'succeeded' ? null : task.error;
      const endedMs = this.time.nowMs - this.startedAt;
      const ended = { attempt: task.attempt, startedMs, endedMs, outcome: task.outcome!.toUpperCase(), error };
      execution.attempts.push({ executionId: execution.id, nodeId: node.id, ...ended });
      this.decide(execution);
    });
  }

  private spawn(parent: MemoryExecution, node: PlannedNode): void {
    if (parent.isOver) return;
    const fanOut = spawnChildren(parent, node, ++this.fanOuts, this.catalogue);
    this.admit(fanOut);
    this.judge(fanOut);
    this.decide(parent);
  }

  /** As many children begin as the fan-out may have open. */
  private admit(fanOut: MemoryFanOut): void {
    const { config } = fanOut.parent.node(fanOut.node);
    const most = (config.type === 'SPAWNER' ? config.maxConcurrency : null) ?? Number.POSITIVE_INFINITY;
    const { succeeded, failed, cancelled } = fanOut.tally;
    let open = fanOut.children.length - fanOut.pending.length - succeeded - failed - cancelled;
    while (open < most && fanOut.pending.length > 0 && !fanOut.parent.isOver) {
      this.start(fanOut.pending.shift()!);
      open++;
    }
  }

  private settled(child: MemoryExecution, before: 'pending' | 'running'): void {
    const fanOut = child.lineage?.fanOut;
    if (!fanOut) return;
    fanOut.tally = moveTally(fanOut.tally, before, child.state);
    this.admit(fanOut);
    if (this.judge(fanOut)) this.decide(fanOut.parent);
  }

  /** @returns whether there is a verdict now */
  private judge(fanOut: MemoryFanOut): boolean {
    if (fanOut.verdict !== 'open' || fanOut.parent.isOver) return false;
    const merge = mergeOf(fanOut);
    const { total, sealed, tally, children } = fanOut;
    const decided = decideVerdict({
      total,
      sealed,
      spawned: children.length,
      tally,
      tolerance: merge?.tolerance ?? strict,
      failFast: merge?.failFast ?? false,
    });
    if (decided.verdict === 'open') return false;
    fanOut.verdict = decided.verdict;
    fanOut.verdictReason = reasonOf(fanOut, decided, merge?.results === 'INLINE');
    if (decided.verdict === 'failed' && decided.early && merge?.remaining === 'CANCEL') this.cancelRest(fanOut);
    return true;
  }

  private cancelRest(fanOut: MemoryFanOut): void {
    fanOut.pending.length = 0;
    for (const child of fanOut.children) {
      if (child.isOver) continue;
      for (const below of child.fanOuts.values()) this.cancelRest(below);
      for (const task of child.tasks.values())
        if (!['succeeded', 'failed', 'skipped'].includes(task.state)) task.state = 'cancelled';
      child.state = 'cancelled';
      child.endedMs = this.time.nowMs;
      this.settled(child, 'running');
    }
  }
}

function record(task: MemoryTask, outcome: Outcome | 'late', node: PlannedNode): void {
  task.state = 'recorded';
  task.snoozeMs = null;
  if (outcome === 'late') {
    task.outcome = 'timed_out';
    const message = `the attempt took longer than ${node.timeoutMs} ms`;
    task.error = JSON.stringify({ class: 'TIMEOUT', code: 'TASK.TIMED_OUT', message });
    return;
  }
  task.outcome = outcome.kind;
  if (outcome.kind === 'succeeded') Object.assign(task, { output: outcome.output, error: null });
  if (outcome.kind === 'failed' || outcome.kind === 'snoozed') task.error = JSON.stringify(outcome.error);
  if (outcome.kind === 'snoozed') task.snoozeMs = outcome.waitMs;
}

function mergeOf({ parent, node }: MemoryFanOut) {
  const found = parent.plan.nodes.find(({ config }) => config.type === 'MERGE' && config.of === node)?.config;
  return found?.type === 'MERGE' ? found : null;
}

/** The output of a merge that passed, the failure of one that did not; of a PIPELINE node what its one child brought. */
function reasonOf(
  fanOut: MemoryFanOut,
  decided: Exclude<ReturnType<typeof decideVerdict>, { verdict: 'open' }>,
  inline: boolean,
): string {
  const { parent, node, children, tally, total } = fanOut;
  const [only] = children;
  if (parent.node(node).type === 'PIPELINE')
    return (decided.verdict === 'passed' ? only!.output : only!.error) ?? 'null';
  const counts = { total, succeeded: tally.succeeded, failed: tally.failed, cancelled: tally.cancelled };
  if (decided.verdict === 'passed') {
    const text = JSON.stringify(counts);
    return inline ? `${text.slice(0, -1)},"results":[${children.map(resultOf).join(',')}]}` : text;
  }
  return JSON.stringify({
    class: 'TOLERANCE_EXCEEDED',
    code: 'MERGE.TOLERANCE_EXCEEDED',
    ...decided.reason,
    ...counts,
  });
}

function resultOf(child: MemoryExecution): string {
  const { index, key } = child.lineage!;
  const gave = child.state === 'succeeded' ? `"output":${child.output ?? 'null'}` : `"error":${child.error ?? 'null'}`;
  return `{"index":${index},"key":${JSON.stringify(key)},"state":"${child.state.toUpperCase()}",${gave}}`;
}
