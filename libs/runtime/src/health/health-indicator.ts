/** `degraded` still serves: it is told in the body and keeps the answer at 200. */
export type HealthStatus = 'up' | 'degraded' | 'down';

export interface HealthReport {
  readonly status: HealthStatus;
  readonly detail?: string;
}

/** One thing a process needs in order to be ready. A check that throws, or takes longer than 3 s, is down. */
export interface HealthIndicator {
  readonly name: string;
  check(): Promise<HealthReport>;
}
