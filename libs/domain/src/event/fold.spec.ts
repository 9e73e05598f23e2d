import fc from 'fast-check';
import {
  executionAfter,
  executionTransitions,
  taskAfter,
  taskTransitions,
  type ExecutionMove,
  type ExecutionState,
  type TaskMove,
  type TaskState,
} from '../transition-table.js';
import { expandStored, type StoredEventRow } from './expand.js';
import { foldEvents, type FoldedNodeState } from './fold.js';
import { eventSpan, storedEvents, type StoredEventKind } from './stored-event.js';

/** A log that numbers its rows as the database does. */
class Log {
  readonly rows: StoredEventRow[] = [];
  private next = 1;

  add(kind: StoredEventKind, more: Omit<StoredEventRow, 'seq' | 'kind'> = {}): void {
    this.rows.push({ seq: this.next, kind, ...more });
    this.next += eventSpan(kind);
  }

  fold() {
    return foldEvents(this.rows.flatMap(expandStored));
  }
}

const executionKinds: Record<ExecutionMove, StoredEventKind | null> = {
  admit: 'ready',
  claim: 'execution_started',
  take_back: null,
  pause: 'paused',
  resume_unstarted: 'resumed',
  resume_started: 'resumed',
  succeed: 'succeeded',
  fail: 'failed',
  cancel: 'cancelled',
  retry: 'reopened',
  redrive: 'reopened',
};

describe('folding an execution', () => {
  it('gives the state that its moves gave, in any legal order of moves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), (choices) => {
        const log = new Log();
        log.add('created');
        let state: ExecutionState = 'pending';
        let hasStarted = false;
        let takenBack = false;
        for (const choice of choices) {
          const legal = executionTransitions.filter(
            ({ move }) =>
              executionAfter(state, move) !== null &&
              (move !== 'resume_started' || hasStarted) &&
              (move !== 'resume_unstarted' || !hasStarted),
          );
          if (legal.length === 0) break;
          const { move } = legal[choice % legal.length]!;
          state = executionAfter(state, move)!;
          takenBack = move === 'take_back' || (takenBack && state === 'pending');
          if (move === 'claim') hasStarted = true;
          if (move === 'retry' || move === 'redrive') hasStarted = false;
          const kind = executionKinds[move];
          if (kind) log.add(kind);
          const folded = log.fold();
          expect(folded.defects).toEqual([]);
          expect(folded.state).toBe(takenBack ? 'ready' : state);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives each node the state and attempt that its moves gave', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), (choices, size) => {
        const log = new Log();
        log.add('created');
        log.add('opened');
        const tasks = Array.from({ length: size }, (_, i) => new WalkingTask(`n${i}`));
        for (const choice of choices) {
          tasks[choice % size]!.walk(Math.floor(choice / size), log);
          const folded = log.fold();
          expect(folded.defects).toEqual([]);
          expect(folded.state).toBe('running');
          for (const task of tasks) {
            const node = folded.nodes[task.id] ?? { state: 'pending', attempt: 0 };
            expect(node).toEqual({ state: toldState(task.state), attempt: task.attempt });
            expect(folded.attempts.filter((a) => a.nodeId === task.id)).toHaveLength(task.attempt);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('tells every attempt with its outcome', () => {
    const log = new Log();
    log.add('created');
    log.add('ready');
    log.add('started', { nodeId: 'n', attempt: 1 });
    log.add('retrying', { nodeId: 'n', attempt: 1, data: '{"outcome":"SNOOZED","charged":false}' });
    log.add('attempt_started', { nodeId: 'n', attempt: 2 });
    log.add('all_succeeded', { nodeId: 'n', attempt: 2 });
    expect(log.fold()).toEqual({
      state: 'succeeded',
      nodes: { n: { state: 'succeeded', attempt: 2 } },
      attempts: [
        { nodeId: 'n', attempt: 1, startedSeq: 4, endedSeq: 5, outcome: 'SNOOZED' },
        { nodeId: 'n', attempt: 2, startedSeq: 7, endedSeq: 8, outcome: 'SUCCEEDED' },
      ],
      defects: [],
    });
  });

  it('ends what is open at a cancel and opens it again at a redrive', () => {
    const log = new Log();
    log.add('created');
    log.add('ready');
    log.add('started', { nodeId: 'n', attempt: 1 });
    log.add('attempt_ended', { nodeId: 'n', attempt: 1, data: '{"outcome":"CANCELLED","charged":true}' });
    log.add('cancelled');
    expect(log.fold()).toMatchObject({ state: 'cancelled', nodes: { n: { state: 'cancelled' } } });
    log.add('reopened');
    expect(log.fold()).toMatchObject({ state: 'pending', nodes: { n: { state: 'pending', attempt: 1 } }, defects: [] });
    log.add('ready');
    log.add('started', { nodeId: 'n', attempt: 2 });
    log.add('all_failed', { nodeId: 'n', attempt: 2, data: '{"outcome":"FAILED"}' });
    expect(log.fold()).toMatchObject({ state: 'failed', nodes: { n: { state: 'failed', attempt: 2 } }, defects: [] });
  });

  it('tells gaps, repeated attempts and moves that are not legal', () => {
    const facts = [
      { seq: 1, type: 'execution.created' },
      { seq: 3, type: 'execution.succeeded' },
      { seq: 4, type: 'attempt.started', nodeId: 'n', attempt: 1 },
      { seq: 5, type: 'attempt.started', nodeId: 'n', attempt: 1 },
    ] as const;
    expect(foldEvents(facts).defects).toEqual([
      'event 3 follows 1',
      'event 3: execution.succeeded while pending',
      'event 5: attempt 1 of n after 1',
      'event 5: n started while an attempt runs',
    ]);
    expect(foldEvents([])).toEqual({ state: null, nodes: {}, attempts: [], defects: [] });
  });
});

describe('a stored row', () => {
  it('stands for consecutive facts with a number each', () => {
    expect(
      expandStored({ seq: 7, kind: 'all_failed', nodeId: 'n', attempt: 3, at: 't', data: '{"error":{}}' }),
    ).toEqual([
      { seq: 7, type: 'attempt.ended', nodeId: 'n', attempt: 3, at: 't', data: '{"error":{}}' },
      { seq: 8, type: 'node.failed', nodeId: 'n', attempt: 3, at: 't', data: '{"error":{}}' },
      { seq: 9, type: 'execution.failed', at: 't', data: '{"error":{}}' },
    ]);
    for (const kind of Object.keys(storedEvents) as StoredEventKind[])
      expect(expandStored({ seq: 1, kind })).toHaveLength(eventSpan(kind));
  });
});

/** A task that makes legal moves and tells them as the engine does. */
class WalkingTask {
  state: TaskState = 'pending';
  attempt = 0;

  constructor(readonly id: string) {}

  walk(choice: number, log: Log): void {
    const legal = taskTransitions.filter(
      ({ move }) => move !== 'cancel' && move !== 'reopen' && move !== 'rerun' && taskAfter(this.state, move) !== null,
    );
    if (legal.length === 0) return;
    const { move } = legal[choice % legal.length]!;
    const from = this.state;
    this.state = taskAfter(from, move)!;
    if (move === 'claim') this.attempt++;
    const kind = toldAs(move, from);
    if (kind) log.add(kind, { nodeId: this.id, attempt: this.attempt });
  }
}

function toldAs(move: TaskMove, from: TaskState): StoredEventKind | null {
  switch (move) {
    case 'claim':
      return 'attempt_started';
    case 'release':
    case 'again':
      return 'retrying';
    case 'succeed':
      return from === 'recorded' ? 'attempt_succeeded' : 'node_succeeded';
    case 'fail':
      return from === 'recorded' ? 'attempt_failed' : 'node_failed';
    case 'skip':
      return 'node_skipped';
    default:
      return null;
  }
}

function toldState(state: TaskState): FoldedNodeState {
  if (state === 'ready' || state === 'waiting') return 'pending';
  return state === 'recorded' ? 'running' : state;
}
