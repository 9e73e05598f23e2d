/** `freeze` of a SPAWNER: a look-up for each batch of items, before their children are there. */
import type { Fields } from '../fields.js';
import { freezeRoots } from '../place.js';
import type { FreezeConfig, Plan } from '../plan.js';

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
