import { missedPolicies, mostWaiting, overlapPolicies, squeeze } from '@app/domain';
import type { ScheduleTerms } from '@app/persistence';
import { occurrenceDefects } from '@app/starting';
import { z } from 'zod';
import { refused, type ProblemDefect } from '../problem/problem.js';
import { bodyMembers, defectsOf } from '../request/body.js';
import { labelDefects } from '../request/labels.js';
import { resourceName } from '../request/names.js';
import { wholeNumber } from '../request/whole-number.js';

const name = (what: string) => z.string().regex(resourceName, `must be the name of ${what}`);

const terms = z.object({
  pipeline: name('a pipeline'),
  version: wholeNumber(1).nullable().default(null),
  cron: z.string('must be a cron expression'),
  timeZone: z.string('must be the name of a time zone').default('UTC'),
  priority: wholeNumber(0, 9).default(5),
  overlap: z.enum(overlapPolicies, `must be one of ${overlapPolicies.join(', ')}`).default('SKIP'),
  missed: z.enum(missedPolicies, `must be one of ${missedPolicies.join(', ')}`).default('SKIP'),
  missedLimit: wholeNumber(1, mostWaiting).default(10),
  enabled: z.boolean('must be true or false').default(true),
});

const payloads = { input: z.unknown().optional(), labels: z.record(z.string(), z.string()).optional() };
/** For the documentation: what a new schedule says, and what may be changed. */
export const newSchedule = terms.extend({ name: name('a schedule'), ...payloads });
export const scheduleChange = newSchedule.omit({ name: true }).partial();

/** Labels that each start adds. */
const ownLabels = ['schedule', 'scheduledFor'];

/** @throws Problem 422 with every defect */
export function readNewSchedule(text: string): { name: string; terms: ScheduleTerms } {
  const given = bodyMembers(text, Object.keys(newSchedule.shape));
  const named = newSchedule.shape.name.safeParse(valueOf(given, 'name'));
  const read = readTerms(given, {});
  const defects = [...(named.success ? [] : defectsOf(named.error, 'name')), ...read.defects];
  if (defects.length > 0) throw refused(defects);
  return { name: named.data!, terms: read.terms! };
}

/**
 * The terms of a schedule with what the body changes.
 * @throws Problem 422 with every defect
 */
export function readChangedSchedule(text: string, before: ScheduleTerms): ScheduleTerms {
  const given = bodyMembers(text, Object.keys(scheduleChange.shape));
  const read = readTerms(given, before);
  if (read.defects.length > 0) throw refused(read.defects);
  return read.terms!;
}

function readTerms(
  given: ReadonlyMap<string, string>,
  before: Partial<ScheduleTerms>,
): { defects: ProblemDefect[]; terms: ScheduleTerms | null } {
  const names = Object.keys(terms.shape).filter((member) => given.has(member));
  const parsed = terms.safeParse({ ...before, ...Object.fromEntries(names.map((n) => [n, valueOf(given, n)])) });
  const labels = given.get('labels') ?? null;
  const defects = [
    ...(parsed.success ? occurrenceDefects(parsed.data.cron, parsed.data.timeZone) : defectsOf(parsed.error)),
    ...(labels === null ? [] : labelDefects(labels)),
    ...(labels === null ? [] : ownLabelDefects(labels)),
  ];
  if (defects.length > 0 || !parsed.success) return { defects, terms: null };
  const input = given.get('input');
  return {
    defects,
    terms: {
      ...parsed.data,
      input: input === undefined ? (before.input ?? '{}') : squeeze(input),
      labels: labels === null ? (before.labels ?? null) : squeeze(labels),
    },
  };
}

function valueOf(given: ReadonlyMap<string, string>, member: string): unknown {
  const text = given.get(member);
  return text === undefined ? undefined : JSON.parse(text);
}

function ownLabelDefects(text: string): ProblemDefect[] {
  const labels = JSON.parse(text) as unknown;
  if (typeof labels !== 'object' || labels === null) return [];
  return ownLabels
    .filter((label) => Object.hasOwn(labels, label))
    .map((label) => ({ path: `labels.${label}`, message: 'is set by the schedule itself' }));
}
