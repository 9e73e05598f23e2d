import { jsonKind, sliceMembers } from '@app/domain';
import type { ProblemDefect } from '../problem/problem.js';
import { labelDefect } from './names.js';

const maxLabels = 64;

/**
 * What is wrong with labels.
 * @param text exact JSON text
 */
export function labelDefects(text: string): ProblemDefect[] {
  if (jsonKind(text) !== 'object') return [{ path: 'labels', message: `must be an object, not ${jsonKind(text)}` }];
  const labels = sliceMembers(text);
  if (labels.length > maxLabels) return [{ path: 'labels', message: `must be at most ${maxLabels}` }];
  return labels.flatMap(([name, value]) => {
    const path = `labels.${name.slice(0, 64)}`;
    if (name === '') return [{ path: 'labels', message: 'a name must not be empty' }];
    const ofName = labelDefect(name);
    if (ofName) return [{ path, message: `the name ${ofName}` }];
    if (jsonKind(value) !== 'string') return [{ path, message: 'must be a string' }];
    const ofValue = labelDefect(JSON.parse(value) as string);
    return ofValue ? [{ path, message: ofValue }] : [];
  });
}
