/** `freeze` of a SPAWNER: a look-up for each batch of items, before their children are there. */
import { cutPath } from '../../json/cut.js';
import type { Fields } from '../fields.js';
import { freezeRoots } from '../place.js';
import type { FreezeConfig, Plan } from '../plan.js';

/** So long an attempt of a look-up may take: it is claimed for little more. */
export const mostLookupMs = 45_000;
const mostItems = 1_000;
const defaultItems = 100;

export function readFreeze(config: Fields): FreezeConfig | null {
  const freeze = config.object('freeze');
  if (!freeze) return null;
  const node = freeze.required('node');
  const batch = freeze.integer('batch', 1, mostItems) ?? defaultItems;
  freeze.finish();
  if (!node) return null;
  const plan = freeze.place.inline(node.text, node.path, freeze.place, freezeRoots);
  if (!plan || !isLookUp(plan, node.path, freeze)) return null;
  // what nobody has written, as the half hour of a HANDLER, is cut short
  const isWritten = cutPath(node.text, ['timeout']) !== undefined;
  if (isWritten && (plan.nodes[0]!.timeoutMs ?? 0) > mostLookupMs)
    freeze.place.report.add(`${node.path}.timeout`, `must be at most ${mostLookupMs / 1_000} s for a look-up`);
  return { plan, batch };
}

function isLookUp(plan: Plan, path: string, freeze: Fields): boolean {
  const { type, destinations, maxConcurrency } = plan.nodes[0]!;
  const { report } = freeze.place;
  if (type !== 'HTTP' && type !== 'HANDLER') report.add(`${path}.type`, `must be HTTP or HANDLER, is ${type}`);
  if (destinations.length > 0) report.add(`${path}.destinations`, 'has no meaning for a look-up');
  if (maxConcurrency !== null) report.add(`${path}.maxConcurrency`, 'has no meaning for a look-up');
  return type === 'HTTP' || type === 'HANDLER';
}
