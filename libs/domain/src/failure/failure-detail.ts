/** Why something failed, as stored with a task and shown by the API (`error` of api.md). */
export const errorClasses = [
  'PERMANENT',
  'TRANSIENT',
  'TIMEOUT',
  'EXECUTOR_LOST',
  'TOLERANCE_EXCEEDED',
  'QUOTA_EXCEEDED',
  'CANCELLED',
] as const;
export type ErrorClass = (typeof errorClasses)[number];

export interface FailureDetail {
  readonly class: ErrorClass;
  /** `AREA.REASON` */
  readonly code: string;
  readonly message: string;
  readonly nodeId?: string;
  readonly attempt?: number;
  /** Status of an HTTP answer. */
  readonly status?: number;
  /** A bounded excerpt of an HTTP answer's body. */
  readonly body?: string;
  /** Further facts of that code, for instance `expression`, `path`, `itemIndex`, or counts per kind. */
  readonly [fact: string]: unknown;
}
