import type { FailureDetail } from '@app/domain';

/** The spawner cannot go on: a permanent failure of its task, before the first child or at its cursor. */
export class SpawnFailure extends Error {
  override readonly name = 'SpawnFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
    readonly failureClass: FailureDetail['class'] = 'PERMANENT',
  ) {
    super(message);
  }

  /** JSON text of the failure shown at the spawner. */
  detail(nodeId: string): string {
    const detail: FailureDetail = {
      class: this.failureClass,
      code: this.code,
      message: this.message,
      nodeId,
      ...this.facts,
    };
    return JSON.stringify(detail);
  }
}
