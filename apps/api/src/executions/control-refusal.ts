import { Problem } from '../problem/problem.js';
import type { Controlled } from './control-port.js';

/** What a control move answered, where it was made. @throws Problem where it was refused */
export function orRefusal<Facts>(controlled: Controlled<Facts>): { ok: true } & Facts {
  if (controlled.ok) return controlled;
  const { status, code, detail, state, path } = controlled;
  const facts = state === undefined ? {} : { state: state.toUpperCase() };
  throw new Problem({ status, code, detail, facts, errors: path === undefined ? [] : [{ path, message: detail }] });
}
