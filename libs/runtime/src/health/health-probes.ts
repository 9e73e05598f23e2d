import type { HealthIndicator } from './health-indicator.js';

/** Injection token of the process's {@link HealthProbes}. */
export const HEALTH_PROBES = Symbol('HEALTH_PROBES');

/** What the two health answers of a process are made of. */
export interface HealthProbes {
  /** The process's own loops: live while all of them turn. Never a dependency. */
  readonly loops?: readonly { readonly name: string; readonly turning: boolean }[];
  readonly ready: readonly HealthIndicator[];
  /** Not ready from the moment this drains. */
  readonly shutdown: { readonly draining: boolean };
}
