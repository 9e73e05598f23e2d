import { z } from 'zod';
import { unreadable } from '../problem/problem.js';
import { oneOrMore } from '../request/query.js';
import type { ExecutionStateName } from '@app/persistence';

export const stateNames = ['PENDING', 'READY', 'RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

export const stateFilter = oneOrMore(stateNames);
export const includeFilter = oneOrMore(['input', 'output']);
export const labelFilter = z.union([z.string(), z.array(z.string())]).optional();

export function storedStates(states: readonly string[] | undefined): ExecutionStateName[] | null {
  return states === undefined ? null : (states.map((state) => state.toLowerCase()) as ExecutionStateName[]);
}

/** `k=v`, once or several times → what the labels must contain, as JSON text. */
export function storedLabels(labels: string | readonly string[] | undefined): string | null {
  if (labels === undefined) return null;
  const wanted = [labels].flat().map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw unreadable('REQUEST.QUERY', 'label: must be name=value', [
        { path: 'label', message: 'must be name=value' },
      ]);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return JSON.stringify(Object.fromEntries(wanted)).replaceAll('\\u0000', '');
}
