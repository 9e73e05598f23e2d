import { squeeze } from '@app/domain';
import type { TriggerTerms } from '@app/persistence';
import { z } from 'zod';
import { refused, type ProblemDefect } from '../problem/problem.js';
import { bodyMembers, defectsOf } from '../request/body.js';
import { labelDefects } from '../request/labels.js';
import { labelText, resourceName } from '../request/names.js';
import { wholeNumber } from '../request/whole-number.js';

const brokerName = labelText.refine((text) => text !== '', 'must not be empty');
const terms = z.object({
  pipeline: z.string().regex(resourceName, 'must be the name of a pipeline'),
  version: wholeNumber(1).nullable().default(null),
  queue: brokerName,
  exchange: brokerName.nullable().default(null),
  routingKey: labelText.nullable().default(null),
  priority: wholeNumber(0, 9).default(5),
  enabled: z.boolean('must be true or false').default(true),
});
/** For the documentation. */
export const triggerBody = terms.extend({ labels: z.record(z.string(), z.string()).optional() });

/** Labels that each start adds. */
const ownLabels = ['trigger', 'messageId'];

/**
 * @param namespace of the engine, whose own queues are not to be consumed
 * @throws Problem 422 with every defect
 */
export function readTrigger(text: string, namespace: string): TriggerTerms {
  const given = bodyMembers(text, Object.keys(triggerBody.shape));
  const labels = given.get('labels') ?? null;
  const value = Object.fromEntries(
    [...given].filter(([member]) => member !== 'labels').map(([member, raw]) => [member, JSON.parse(raw) as unknown]),
  );
  const parsed = terms.safeParse(value);
  const defects: ProblemDefect[] = [
    ...(parsed.success ? targetDefects(parsed.data, namespace) : defectsOf(parsed.error)),
    ...(labels === null ? [] : [...labelDefects(labels), ...ownLabelDefects(labels)]),
  ];
  if (defects.length > 0 || !parsed.success) throw refused(defects);
  return { ...parsed.data, labels: labels === null ? null : squeeze(labels) };
}

function targetDefects({ queue, exchange, routingKey }: z.output<typeof terms>, namespace: string): ProblemDefect[] {
  const defects: ProblemDefect[] = [];
  const isOurs = (name: string | null) => name?.startsWith(`${namespace}_`);
  if (queue.startsWith('amq.'))
    defects.push({ path: 'queue', message: 'must not begin with "amq.", which is the broker’s' });
  if (isOurs(queue))
    defects.push({ path: 'queue', message: `must not begin with "${namespace}_", which is the engine’s` });
  if (isOurs(exchange))
    defects.push({ path: 'exchange', message: `must not begin with "${namespace}_", which is the engine’s` });
  if (routingKey !== null && exchange === null)
    defects.push({ path: 'routingKey', message: 'has no meaning without an exchange' });
  return defects;
}

function ownLabelDefects(text: string): ProblemDefect[] {
  const labels = JSON.parse(text) as unknown;
  if (typeof labels !== 'object' || labels === null) return [];
  return ownLabels
    .filter((label) => Object.hasOwn(labels, label))
    .map((label) => ({ path: `labels.${label}`, message: 'is set by the trigger itself' }));
}
