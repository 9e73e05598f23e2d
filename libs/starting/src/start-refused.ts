import type { Defect } from '@app/domain';

/** Why an execution is not started: `AREA.REASON`, in words, and facts such as the limit. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';

  constructor(
    readonly code:
      'PIPELINE.UNKNOWN' | 'PIPELINE.DISABLED' | 'QUOTA.EXCEEDED' | 'EXECUTION.KEY_IN_USE' | 'EXECUTION.INPUT_REFUSED',
    message: string,
    readonly facts: Readonly<Record<string, unknown>> = {},
    /** What is wrong with the input. */
    readonly defects: readonly Defect[] = [],
  ) {
    super(message);
  }
}
