import { parseRatio } from '../../fan-out/ratio.js';
import { jsonKind } from '../../json/cut.js';
import { Fields, readOneOf, shown, type Located } from '../fields.js';
import type { Place } from '../place.js';
import type { ChildFailureKind, FailureTolerance, MergeConfig } from '../plan.js';

/** `of` is -1 until the graph is known: `mergeOf` of the draft holds what was written. */
export function readMerge(config: Fields): MergeConfig {
  return {
    type: 'MERGE',
    of: -1,
    tolerance: readTolerance(config),
    failFast: config.boolean('failFast') ?? false,
    remaining: config.oneOf('remaining', ['CANCEL', 'RUN']) ?? 'CANCEL',
    results: config.oneOf('results', ['NONE', 'INLINE']) ?? 'NONE',
  };
}

function readTolerance(config: Fields): FailureTolerance {
  const listed = config.list('tolerateChildFailures') ?? [];
  const kinds = listed.map((entry) => readOneOf<ChildFailureKind>(entry, ['FAILED', 'CANCELLED'], config.place));
  const known = [...new Set(kinds.filter((kind) => kind !== null))];
  const budget = config.raw('failureTolerance');
  if (!budget) return { kinds: known, maxFailureRatio: null, maxFailureCount: null };
  if (listed.length === 0)
    config.report('failureTolerance', 'needs kinds in tolerateChildFailures; without them no failure is tolerated');
  return { kinds: known, ...readBudget(budget, config.place) };
}

/** `{maxFailureRatio, maxFailureCount}`; the ratio stays the decimal text it is. */
function readBudget(value: Located, place: Place): Pick<FailureTolerance, 'maxFailureRatio' | 'maxFailureCount'> {
  const budget = Fields.read(value, place);
  if (!budget) return { maxFailureRatio: null, maxFailureCount: null };
  const ratio = budget.raw('maxFailureRatio');
  if (ratio && (jsonKind(ratio.text) !== 'number' || !parseRatio(ratio.text)))
    place.report.add(ratio.path, `must be a number from 0 to 1, is ${shown(ratio.text)}`);
  const maxFailureCount = budget.integer('maxFailureCount', 0, 2 ** 31 - 1);
  budget.finish();
  return { maxFailureRatio: ratio?.text ?? null, maxFailureCount };
}
