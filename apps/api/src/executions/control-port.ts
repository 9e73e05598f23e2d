/** Injection token of the {@link ControlPort}. */
export const CONTROL = Symbol('CONTROL');

export interface ControlRefusal {
  readonly ok: false;
  readonly status: 404 | 409 | 422;
  /** `AREA.REASON` */
  readonly code: string;
  readonly detail: string;
  /** The state the execution was in. */
  readonly state?: string;
  /** Where in the request it is, where it is in the request. */
  readonly path?: string;
}
export type Controlled<Facts = unknown> = ({ readonly ok: true } & Facts) | ControlRefusal;

export interface RedriveFilter {
  readonly state: readonly ('FAILED' | 'CANCELLED')[];
  readonly node?: string;
  readonly fingerprint?: string;
  readonly class?: string;
  readonly itemIndexes?: readonly number[];
  readonly dryRun?: boolean;
}

export interface FanOutChange {
  readonly maxConcurrency?: number | null;
  readonly failureTolerance?: { readonly maxFailureRatio?: string; readonly maxFailureCount?: number };
  readonly priority?: number;
}

/** The moves an operator can ask for. Each is committed when it answers; bulk work that follows is the engine's. */
export interface ControlPort {
  pause(id: string, options: { cascade: boolean }): Promise<Controlled>;
  resume(id: string, options: { cascade: boolean }): Promise<Controlled>;
  release(id: string): Promise<Controlled>;
  cancel(id: string, options: { cascade: boolean }): Promise<Controlled>;
  retry(id: string, options: { from?: string }): Promise<Controlled>;
  redrive(id: string, filter: RedriveFilter): Promise<Controlled<{ matched: number; redriven: number }>>;
  patchFanOut(id: string, node: string, change: FanOutChange): Promise<Controlled>;
  pauseFanOut(id: string, node: string): Promise<Controlled>;
  resumeFanOut(id: string, node: string): Promise<Controlled>;
  cancelFanOut(id: string, node: string): Promise<Controlled>;
  /** The body is exact JSON text. */
  signal(id: string, name: string, body: string): Promise<Controlled>;
  remove(id: string): Promise<Controlled>;
}

const absent = (): Promise<ControlRefusal> =>
  Promise.resolve({
    ok: false,
    status: 409,
    code: 'CONTROL.UNAVAILABLE',
    detail: 'this process cannot control executions',
  });

/** For processes without an engine behind them: everything is refused. */
export const noControl: ControlPort = {
  pause: absent,
  resume: absent,
  release: absent,
  cancel: absent,
  retry: absent,
  redrive: absent,
  patchFanOut: absent,
  pauseFanOut: absent,
  resumeFanOut: absent,
  cancelFanOut: absent,
  signal: absent,
  remove: absent,
};
