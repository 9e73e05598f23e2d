import { decideVerdict, factsOnly, isTerminal, type ExecutionDecision } from '@app/domain';
import {
  inTransaction,
  isTransient,
  type Consequences,
  type Database,
  type Decided,
  type DecisionStore,
  type DueFanOut,
  type LoadedExecution,
  type MergeStore,
  outputNodesOf,
  type PlanSource,
  type SnapshotStore,
  type Touched,
  type Tx,
} from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { DecisionService } from '../deciding/decision.service.js';
import type { Hints } from '../deciding/hints.js';
import { mergeRule } from './merge-rule.js';
import { moveStages, type StageChange } from './rollout-stages.js';

const maxPerTurn = 200;
const inlineLimitBytes = 262_144;
const setAsideMs = 10_000;

/**
 * Merging gives verdicts: one per fan-out and round, a pure function of its total, tally, tolerance and fail-fast.
 *
 * Promises. A verdict is decided under the fan-out's control row with its tally locked, so no settlement is missed and none
 * is counted twice (I4); it is written only if the round is still the one it was decided in, and open (I5); the parent goes on in
 * the same transaction. While a redrive of the fan-out has not ended, the verdict is held.
 *
 * Locks in order: marks of what is due (passed over where somebody else has them), parent executions, control rows, tallies; each by id.
 *
 * Dying between any two lines: before the commit the fan-out is still due, and the verdict sweep finds it.
 */
export class MergingService {
  constructor(
    private readonly database: Database,
    private readonly store: MergeStore,
    private readonly plans: PlanSource,
    private readonly snapshots: SnapshotStore,
    private readonly decisions: DecisionStore,
    private readonly deciding: DecisionService,
    private readonly hints: Hints,
    private readonly onCommands: () => void,
    private readonly logger: Logger,
  ) {}

  /** Looks at fan-outs that are due. @returns how many it looked at */
  async runOnce(): Promise<number> {
    const due = await this.store.due(this.database.any, maxPerTurn);
    if (due.length === 0) return 0;
    await this.decideHalving(due);
    return due.length === maxPerTurn ? due.length : 0;
  }

  /** One that throws is a defect, or broken data; it stands back, and the others get their verdicts. */
  private async decideHalving(due: readonly number[]): Promise<void> {
    try {
      const done = await inTransaction(this.database.pool, (tx) => this.decide(tx, due));
      this.hints.after(done.consequences);
      if (done.commands) this.onCommands();
      if (done.released) this.hints.admission();
    } catch (error) {
      if (isTransient(error)) throw error;
      if (due.length === 1) {
        this.logger.error({ err: error, fanOut: due[0] }, 'a fan-out that is due cannot be decided; set aside');
        return this.store.setAside(this.database.any, due[0]!, setAsideMs);
      }
      const half = due.length >> 1;
      await this.decideHalving(due.slice(0, half));
      await this.decideHalving(due.slice(half));
    }
  }

  private async decide(tx: Tx, ids: readonly number[]): Promise<Decisions> {
    const due = await this.store.lockMarks(tx, ids);
    const parentIds = [...new Set(due.map((d) => d.parentId))];
    await this.snapshots.lock(tx, parentIds);
    const fanOuts = await this.store.lock(
      tx,
      due.map((d) => d.id),
    );
    const touched = touchedBy(fanOuts);
    const before = new Map((await this.snapshots.load(tx, touched)).map((e) => [e.snapshot.id, e]));
    const verdicts: Verdict[] = [];
    const changes: StageChange[] = [];
    for (const f of fanOuts.map(asJudged)) {
      const parent = before.get(f.parentId);
      if (!parent || isTerminal(parent.snapshot.state) || f.verdict !== 'open' || f.held > 0 || f.closed) continue;
      const verdict = await this.verdictOf(tx, parent, f);
      if (verdict) verdicts.push(verdict);
      else if (!f.cancelled) changes.push(...(await moveStages(tx, this.store, parent, f)));
    }
    const given = await this.store.giveVerdicts(tx, verdicts);
    const parents =
      given.size === 0 ? before : new Map((await this.snapshots.load(tx, touched)).map((e) => [e.snapshot.id, e]));
    const decided: Decided[] = [];
    const told = verdicts.filter((v) => given.has(v.fanOut.id));
    for (const { id } of touched) {
      const parent = parents.get(id);
      if (!parent || isTerminal(parent.snapshot.state)) continue;
      const made = await this.parentDecision(tx, parent, told, changes);
      if (made) decided.push(made);
    }
    const consequences = await this.decisions.commit(tx, decided);
    if (consequences.stale.length > 0) throw new Error(`a locked parent moved: ${consequences.stale[0]}`);
    const cancelling = told.filter((v) => v.cancelsRest);
    await this.store.cancelRest(
      tx,
      cancelling.map((v) => v.fanOut),
    );
    const stopped = changes.filter((c) => c.stops);
    for (const { fanOut } of stopped) await this.store.pauseParent(tx, fanOut);
    return {
      consequences,
      commands: cancelling.length + stopped.length > 0,
      released: changes.some((c) => c.kind === 'fanout_resumed'),
    };
  }

  private async verdictOf(tx: Tx, parent: LoadedExecution, f: DueFanOut): Promise<Verdict | null> {
    const rule = mergeRule(parent.at.plan, f);
    const decided = decideVerdict({
      total: f.total,
      sealed: f.sealed,
      spawned: f.spawned,
      tally: f.tally,
      tolerance: rule.tolerance,
      failFast: rule.failFast && !f.cancelled,
    });
    if (decided.verdict === 'open') return null;
    if (parent.at.plan.nodes[f.node]!.type === 'PIPELINE') return this.verdictOfOne(tx, f, decided.verdict);
    const { succeeded, failed, cancelled } = f.tally;
    if (decided.verdict === 'passed') {
      const results = rule.inline ? await this.inlineResults(tx, f) : '';
      const output = `{"total":${f.total},"succeeded":${succeeded},"failed":${failed},"cancelled":${cancelled}${results}}`;
      return { fanOut: f, verdict: 'passed', reason: output, closes: false, cancelsRest: false };
    }
    const first = await this.store.firstFailure(tx, f);
    const reason = JSON.stringify({
      class: 'TOLERANCE_EXCEEDED',
      code: 'MERGE.TOLERANCE_EXCEEDED',
      ...decided.reason,
      total: f.total,
      succeeded,
      failed,
      cancelled,
      ...(first ? { firstFailure: first } : {}),
    });
    return {
      fanOut: f,
      verdict: 'failed',
      reason,
      closes: !f.sealed && decided.early,
      cancelsRest: decided.early && rule.remaining === 'CANCEL',
    };
  }

  /** What the one child of a PIPELINE brought is what its node brings. */
  private async verdictOfOne(tx: Tx, f: DueFanOut, verdict: 'passed' | 'failed'): Promise<Verdict> {
    const { plan } = await this.plans.at(tx, f.childVersionId, f.childPath);
    const [child] = await this.store.inlineResults(tx, f, outputNodesOf(plan), 1);
    const reason = verdict === 'passed' ? child?.output : child?.error;
    return { fanOut: f, verdict, reason: reason ?? neverBegun, closes: false, cancelsRest: false };
  }

  private async inlineResults(tx: Tx, f: DueFanOut): Promise<string> {
    const { plan } = await this.plans.at(tx, f.childVersionId, f.childPath);
    const parts: string[] = [];
    let bytes = 0;
    for (const r of await this.store.inlineResults(tx, f, outputNodesOf(plan), 20_000)) {
      const key = r.key === null ? 'null' : JSON.stringify(r.key);
      const value = r.state === 'succeeded' ? `"output":${r.output ?? 'null'}` : `"error":${r.error ?? 'null'}`;
      const part = `{"index":${r.index},"key":${key},"state":"${r.state.toUpperCase()}",${value}}`;
      bytes += Buffer.byteLength(part) + 1;
      if (bytes > inlineLimitBytes) return ',"results":null,"resultsOmitted":true';
      parts.push(part);
    }
    return `,"results":[${parts.join(',')}]`;
  }

  /** The parent goes on with the verdicts it was just told; they come first among its events. */
  private async parentDecision(
    tx: Tx,
    parent: LoadedExecution,
    told: readonly Verdict[],
    changes: readonly StageChange[],
  ): Promise<Decided | null> {
    const { snapshot } = parent;
    const mine = told.filter((v) => v.fanOut.parentId === snapshot.id);
    const facts: ExecutionDecision['events'][number][] = mine.map((v) => ({
      kind: 'fanout_verdict',
      node: v.fanOut.node,
      attempt: null,
      data: `{"verdict":"${v.verdict.toUpperCase()}","generation":${v.fanOut.generation},"round":${v.fanOut.round},"reason":${v.reason}}`,
    }));
    for (const { fanOut, kind, data } of changes)
      if (fanOut.parentId === snapshot.id) facts.push({ kind, node: fanOut.node, attempt: null, data });
    const made = await this.deciding.decide(tx, parent);
    if (!made) return facts.length === 0 ? null : { execution: parent, decision: factsOnly(snapshot, facts) };
    return { ...made, decision: { ...made.decision, events: [...facts, ...made.decision.events] } };
  }
}

const neverBegun = JSON.stringify({
  class: 'CANCELLED',
  code: 'FAN_OUT.CANCELLED',
  message: 'its fan-out was cancelled before it began',
});

/**
 * A fan-out that was cancelled before its list had ended: what was not spawned counts as cancelled, as one where nobody knows
 * how much that is.
 */
function asJudged(f: DueFanOut): DueFanOut {
  if (!f.cancelled || f.sealed) return f;
  const total = f.total ?? f.spawned + 1;
  const cancelled = f.tally.cancelled + total - f.spawned;
  return { ...f, sealed: true, spawned: total, total, tally: { ...f.tally, cancelled } };
}

/** Parents at their spawners and merges. */
function touchedBy(fanOuts: readonly DueFanOut[]): Touched[] {
  const nodes = new Map<string, number[]>();
  for (const { parentId, node, mergeNode } of fanOuts)
    nodes.set(parentId, [...(nodes.get(parentId) ?? []), node, ...(mergeNode === null ? [] : [mergeNode])]);
  return [...nodes].map(([id, of]) => ({ id, nodes: of }));
}

interface Decisions {
  readonly consequences: Consequences;
  /** Bulk commands were written. */
  readonly commands: boolean;
  /** Children were released. */
  readonly released: boolean;
}

interface Verdict {
  readonly fanOut: DueFanOut;
  readonly verdict: 'passed' | 'failed';
  readonly reason: string;
  readonly closes: boolean;
  readonly cancelsRest: boolean;
}
