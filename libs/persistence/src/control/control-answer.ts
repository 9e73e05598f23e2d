/** What a control move answers: done, or refused with nothing changed. */
export type ControlAnswer<Facts = unknown> = ({ readonly ok: true } & Facts) | ControlRefusal;

export interface ControlRefusal {
  readonly ok: false;
  readonly status: 404 | 409 | 422;
  /** `AREA.REASON` */
  readonly code: string;
  readonly detail: string;
  readonly state?: string;
  /** Where in the request it is, where it is in the request. */
  readonly path?: string;
}

export const notFound = (id: string): ControlRefusal => ({
  ok: false,
  status: 404,
  code: 'EXECUTION.NOT_FOUND',
  detail: `there is no execution ${id}`,
});

export const illegal = (move: string, state: string): ControlRefusal => ({
  ok: false,
  status: 409,
  code: 'EXECUTION.ILLEGAL_TRANSITION',
  detail: `an execution that is ${state.toUpperCase()} cannot be ${move}`,
  state: state.toUpperCase(),
});

export const settledFanOut = (move: string, state: string): ControlRefusal => ({
  ok: false,
  status: 409,
  code: 'EXECUTION.ILLEGAL_TRANSITION',
  detail: `a fan-out that is ${state} cannot be ${move}`,
  state,
});

export const unknownSignal = (name: string, known: readonly string[]): ControlRefusal => ({
  ok: false,
  status: 404,
  code: 'SIGNAL.UNKNOWN',
  detail:
    known.length === 0
      ? `the pipeline has no node that waits for a signal`
      : `the pipeline has no signal ${name}; it has ${known.slice(0, 20).join(', ')}`,
});

export const ancestorCancelled = (id: string): ControlRefusal => ({
  ok: false,
  status: 409,
  code: 'EXECUTION.ANCESTOR_CANCELLED',
  detail: `execution ${id} above it is cancelled`,
});

export const invalid = (code: string, detail: string, path?: string): ControlRefusal => ({
  ok: false,
  status: 422,
  code,
  detail,
  ...(path === undefined ? {} : { path }),
});

export const notRun = (node: string, state: string): ControlRefusal => ({
  ok: false,
  status: 409,
  code: 'NODE.NOT_RUN',
  detail: `node ${node} has not run; an execution is retried from one that has`,
  state: state.toUpperCase(),
});
