/**
 * The legal moves of executions and tasks, each with a name. The migration writes them to `state_transition`, and every
 * statement that moves a state joins on *its own move*, never on the pair of states: a late claim must not "legally"
 * start a paused execution only because resume makes the same pair (invariant I2).
 */
export interface Transition<State extends string> {
  readonly move: string;
  readonly from: readonly State[];
  readonly to: State;
}

export const executionStates = ['pending', 'ready', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const;
export type ExecutionState = (typeof executionStates)[number];

export const taskStates = [
  'pending',
  'ready',
  'running',
  'recorded',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const;
export type TaskState = (typeof taskStates)[number];

export const executionTransitions = [
  { move: 'admit', from: ['pending'], to: 'ready' },
  { move: 'claim', from: ['ready'], to: 'running' },
  { move: 'take_back', from: ['ready'], to: 'pending' },
  { move: 'pause', from: ['pending', 'ready', 'running'], to: 'paused' },
  { move: 'resume_unstarted', from: ['paused'], to: 'pending' },
  { move: 'resume_started', from: ['paused'], to: 'running' },
  { move: 'succeed', from: ['running'], to: 'succeeded' },
  { move: 'fail', from: ['pending', 'ready', 'running', 'paused'], to: 'failed' },
  { move: 'cancel', from: ['pending', 'ready', 'running', 'paused'], to: 'cancelled' },
  { move: 'retry', from: ['failed'], to: 'pending' },
  { move: 'redrive', from: ['failed', 'cancelled'], to: 'pending' },
] as const satisfies readonly Transition<ExecutionState>[];
export type ExecutionMove = (typeof executionTransitions)[number]['move'];

export const taskTransitions = [
  { move: 'admit', from: ['pending'], to: 'ready' },
  { move: 'claim', from: ['ready'], to: 'running' },
  { move: 'take_back', from: ['ready'], to: 'pending' },
  { move: 'record', from: ['running'], to: 'recorded' },
  { move: 'fence_out', from: ['running'], to: 'recorded' },
  { move: 'release', from: ['running'], to: 'pending' },
  { move: 'wait', from: ['pending'], to: 'waiting' },
  { move: 'succeed', from: ['recorded', 'waiting'], to: 'succeeded' },
  { move: 'fail', from: ['pending', 'ready', 'recorded', 'waiting'], to: 'failed' },
  { move: 'again', from: ['recorded'], to: 'pending' },
  { move: 'skip', from: ['pending'], to: 'skipped' },
  { move: 'cancel', from: ['pending', 'ready', 'running', 'recorded', 'waiting'], to: 'cancelled' },
  { move: 'reopen', from: ['failed', 'cancelled', 'skipped'], to: 'pending' },
  /** Only by a retry from a node that an operator named. */
  { move: 'rerun', from: ['succeeded', 'failed', 'cancelled', 'skipped'], to: 'pending' },
] as const satisfies readonly Transition<TaskState>[];
export type TaskMove = (typeof taskTransitions)[number]['move'];

export const terminalExecutionStates = ['succeeded', 'failed', 'cancelled'] as const;

/** True for `succeeded`, `failed` and `cancelled`. */
export function isTerminal(state: ExecutionState): boolean {
  return (terminalExecutionStates as readonly string[]).includes(state);
}

/** The state that `move` leads to from `state`, or null when the table does not allow it. */
export function executionAfter(state: ExecutionState, move: ExecutionMove): ExecutionState | null {
  return after(executionTransitions, state, move);
}

/** The state that `move` leads to from `state`, or null when the table does not allow it. */
export function taskAfter(state: TaskState, move: TaskMove): TaskState | null {
  return after(taskTransitions, state, move);
}

function after<State extends string>(table: readonly Transition<State>[], state: State, move: string): State | null {
  const row = table.find((t) => t.move === move);
  return row && row.from.includes(state) ? row.to : null;
}
