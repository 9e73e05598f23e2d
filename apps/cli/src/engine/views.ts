/** The parts of the engine's answers that the command line reads. */
export interface FanOutView {
  readonly nodeId: string;
  readonly total: number | null;
  readonly spawned: number;
  readonly pending: number;
  readonly ready: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly round: number;
  readonly verdict: string;
}

export interface FailureView {
  readonly class?: string;
  readonly code?: string;
  readonly message?: string;
  readonly status?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Of a list that was refused for some of its items; counted from 0. */
  readonly itemIndexes?: readonly number[];
}

export interface ExecutionView {
  readonly id: string;
  readonly state: string;
  readonly error: FailureView | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly input?: { readonly dataset?: string };
  readonly fanOuts: readonly FanOutView[];
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export interface ChildView {
  readonly id: string;
  readonly state: string;
  readonly itemIndex: number;
  readonly itemKey: string | null;
  readonly attempt: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly error: FailureView | null;
  readonly input?: unknown;
}

export interface FailureGroup {
  readonly fingerprint: string;
  readonly code: string;
  readonly status?: number;
  readonly message?: string;
  readonly count: number;
}

export interface DatasetView {
  readonly id: string;
  readonly columns: readonly string[] | null;
  readonly itemCount: number;
}

export const isSettled = (state: string): boolean => ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(state);
