import type { ClaimedTask } from '../running/claimed-task.js';
import { AttemptFailure } from './performance.js';

const inChild = 262_144;
const atTop = 16_777_216;

/** Most bytes that a task's output may have: what its node says, else 256 KiB in a child and 16 MiB at the top. */
export function maxOutputOf(task: Pick<ClaimedTask, 'node' | 'parentId'>): number {
  return task.node.maxOutput ?? (task.parentId === null ? atTop : inChild);
}

export function outputTooLarge(most: number): AttemptFailure {
  return new AttemptFailure(
    'PERMANENT',
    'OUTPUT.TOO_LARGE',
    `the output is larger than ${most} bytes, the most that maxOutput allows`,
  );
}
