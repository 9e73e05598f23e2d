/**
 * The state of an execution as its events tell it (I6). What the log does not tell, the fold does not know: a task that is
 * ready or waiting reads as pending, one whose outcome is recorded but not settled as running, and an execution that was
 * handed out and taken back before it started as ready.
 */
import { cutPath } from '../json/cut.js';
import { decodeString } from '../json/string-text.js';
import type { ExecutionState } from '../transition-table.js';
import type { EventFact } from './expand.js';
import type { EventType } from './stored-event.js';

export type FoldedNodeState = 'pending' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped';

export interface FoldedNode {
  readonly state: FoldedNodeState;
  /** Number of the last attempt, 0 before the first. */
  readonly attempt: number;
}

export interface FoldedAttempt {
  readonly nodeId: string;
  readonly attempt: number;
  /** Number of the event that started it. */
  readonly startedSeq: number;
  /** Null while it runs. */
  readonly endedSeq: number | null;
  /** As the event tells it (`SUCCEEDED`, `FAILED`, …); null while it runs or where it does not. */
  readonly outcome: string | null;
}

export interface FoldedExecution {
  /** Null without events. */
  readonly state: ExecutionState | null;
  readonly nodes: Readonly<Record<string, FoldedNode>>;
  /** In order of their start. */
  readonly attempts: readonly FoldedAttempt[];
  /** What contradicts the rules: gaps in the numbers, moves that are not legal. Empty for a sound log. */
  readonly defects: readonly string[];
}

/** From which states an event about the execution may lead on, and where to. */
const moves: Partial<Record<EventType, readonly [from: readonly (ExecutionState | null)[], to: ExecutionState]>> = {
  'execution.created': [[null], 'pending'],
  'execution.ready': [['pending', 'ready'], 'ready'],
  'execution.started': [['pending', 'ready'], 'running'],
  'execution.paused': [['pending', 'ready', 'running'], 'paused'],
  'execution.resumed': [['paused'], 'running'],
  'execution.succeeded': [['running'], 'succeeded'],
  'execution.failed': [['pending', 'ready', 'running', 'paused'], 'failed'],
  'execution.cancelled': [['pending', 'ready', 'running', 'paused'], 'cancelled'],
  'execution.reopened': [['failed', 'cancelled'], 'pending'],
};

/** @param events facts in the order of their numbers */
export function foldEvents(events: readonly EventFact[]): FoldedExecution {
  const fold = new Fold();
  for (const event of events) fold.take(event);
  return fold.result();
}

const isReleased = ({ data }: EventFact): boolean => data !== undefined && cutPath(data, ['released']) === 'true';

type Open<T> = { -readonly [K in keyof T]: T[K] };

class Fold {
  private state: ExecutionState | null = null;
  private hasStarted = false;
  private last: number | null = null;
  private readonly nodes = new Map<string, Open<FoldedNode>>();
  private readonly attempts: Open<FoldedAttempt>[] = [];
  private readonly running = new Map<string, Open<FoldedAttempt>>();
  private readonly defects: string[] = [];

  take(event: EventFact): void {
    if (event.seq !== (this.last ?? 0) + 1) this.defects.push(`event ${event.seq} follows ${this.last ?? 'nothing'}`);
    this.last = event.seq;
    const move = moves[event.type];
    if (move) this.moveExecution(event, move[0], move[1]);
    else if (event.nodeId !== undefined) this.moveNode(event, event.nodeId);
  }

  result(): FoldedExecution {
    const nodes = Object.fromEntries([...this.nodes].map(([id, node]) => [id, { ...node }]));
    return {
      state: this.state,
      nodes,
      attempts: this.attempts.map((attempt) => ({ ...attempt })),
      defects: this.defects,
    };
  }

  private moveExecution(event: EventFact, from: readonly (ExecutionState | null)[], to: ExecutionState): void {
    // released from a pause above it: its own state was never paused
    if (event.type === 'execution.resumed' && this.state !== 'paused' && isReleased(event)) return;
    if (!from.includes(this.state))
      this.defects.push(`event ${event.seq}: ${event.type} while ${this.state ?? 'unborn'}`);
    this.state = to;
    if (event.type === 'execution.resumed' && !this.hasStarted) this.state = 'pending';
    if (event.type === 'execution.started') this.hasStarted = true;
    if (event.type === 'execution.cancelled') this.settleOpen('cancelled', event);
    if (event.type === 'execution.reopened') {
      this.hasStarted = false;
      for (const node of this.nodes.values())
        if (node.state === 'failed' || node.state === 'cancelled') node.state = 'pending';
    }
  }

  private moveNode(event: EventFact, id: string): void {
    const node = this.nodes.get(id) ?? { state: 'pending', attempt: 0 };
    switch (event.type) {
      case 'attempt.started':
        this.startAttempt(event, id, node);
        break;
      case 'attempt.ended':
        if (this.endAttempt(event, id) === 'CANCELLED') node.state = 'cancelled';
        break;
      case 'node.retrying':
        node.state = 'pending';
        break;
      case 'node.succeeded':
      case 'node.failed':
      case 'node.skipped':
        if (node.state === 'succeeded')
          this.defects.push(`event ${event.seq}: ${event.type} after ${id} had succeeded`);
        node.state = event.type.slice('node.'.length) as FoldedNodeState;
        break;
      default:
        return;
    }
    this.nodes.set(id, node);
  }

  private startAttempt(event: EventFact, nodeId: string, node: Open<FoldedNode>): void {
    const attempt = event.attempt ?? node.attempt + 1;
    if (attempt <= node.attempt)
      this.defects.push(`event ${event.seq}: attempt ${attempt} of ${nodeId} after ${node.attempt}`);
    if (this.running.has(nodeId)) this.defects.push(`event ${event.seq}: ${nodeId} started while an attempt runs`);
    node.state = 'running';
    node.attempt = attempt;
    const started = { nodeId, attempt, startedSeq: event.seq, endedSeq: null, outcome: null };
    this.attempts.push(started);
    this.running.set(nodeId, started);
  }

  /** The outcome, where the event tells it. */
  private endAttempt(event: EventFact, nodeId: string): string | null {
    const attempt = this.running.get(nodeId);
    if (!attempt) {
      this.defects.push(`event ${event.seq}: no attempt of ${nodeId} runs`);
      return null;
    }
    const outcome = event.data === undefined ? undefined : cutPath(event.data, ['outcome']);
    attempt.endedSeq = event.seq;
    attempt.outcome = outcome?.startsWith('"') ? decodeString(outcome) : null;
    this.running.delete(nodeId);
    return attempt.outcome;
  }

  /** A cancel ends what is open, whether or not an attempt's end was still told. */
  private settleOpen(state: FoldedNodeState, event: EventFact): void {
    for (const [id, node] of this.nodes) {
      if (node.state !== 'pending' && node.state !== 'running') continue;
      node.state = state;
      const attempt = this.running.get(id);
      if (attempt) attempt.endedSeq = event.seq;
      this.running.delete(id);
    }
  }
}
