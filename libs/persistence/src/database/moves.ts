import type { ExecutionMove, TaskMove } from '@app/domain';

/**
 * SQL fragments with which a statement joins on its own move. `state_transition` is tiny and each fragment is
 * evaluated once per statement.
 */
export const executionFrom = (move: ExecutionMove): string =>
  `any ((select array_agg(from_state::execution_state) from state_transition where machine = 'execution' and move = '${move}')::execution_state[])`;

export const executionTo = (move: ExecutionMove): string =>
  `(select min(to_state)::execution_state from state_transition where machine = 'execution' and move = '${move}')`;

export const taskFrom = (move: TaskMove): string =>
  `any ((select array_agg(from_state::task_state) from state_transition where machine = 'task' and move = '${move}')::task_state[])`;

export const taskTo = (move: TaskMove): string =>
  `(select min(to_state)::task_state from state_transition where machine = 'task' and move = '${move}')`;
