import { parseRatio } from '../../fan-out/ratio.js';
import type { RolloutStage } from '../../fan-out/rollout.js';
import { jsonKind } from '../../json/cut.js';
import { Fields, shown } from '../fields.js';

const maxStages = 100;
const int4 = 2 ** 31 - 1;

/** `rollout: [{items | ratio, maxFailureRatio?, approval?}, …]`, cumulative; what the last stage leaves follows as one more. */
export function readRollout(config: Fields): readonly RolloutStage[] | null {
  const list = config.list('rollout');
  if (!list) return null;
  if (list.length === 0 || list.length > maxStages)
    config.report('rollout', `must have 1 to ${maxStages} stages, has ${list.length}`);
  const stages: RolloutStage[] = [];
  for (const entry of list) {
    const fields = Fields.read(entry, config.place);
    if (!fields) continue;
    const stage = readStage(fields);
    const before = stages.at(-1);
    if (before && stage && shrinks(before, stage))
      config.place.report.add(entry.path, 'must release more than the stage before; stages are cumulative');
    if (stage) stages.push(stage);
  }
  const last = stages.at(-1);
  const whole = last?.ratio !== null && last !== undefined && isWhole(last.ratio);
  return whole ? stages : [...stages, { items: null, ratio: '1', maxFailureRatio: null, approval: false }];
}

function readStage(fields: Fields): RolloutStage | null {
  const items = fields.integer('items', 1, int4);
  const ratio = readRatio(fields, 'ratio');
  const maxFailureRatio = readRatio(fields, 'maxFailureRatio');
  const approval = fields.boolean('approval') ?? false;
  fields.finish();
  if (fields.has('items') === fields.has('ratio')) {
    fields.place.report.add(fields.path, 'needs either items or ratio');
    return null;
  }
  if (ratio !== null && parseRatio(ratio)!.numerator === 0n) fields.report('ratio', 'must be more than 0');
  return items === null && ratio === null ? null : { items, ratio, maxFailureRatio, approval };
}

function readRatio(fields: Fields, name: string): string | null {
  const value = fields.raw(name);
  if (!value) return null;
  if (jsonKind(value.text) === 'number' && parseRatio(value.text)) return value.text;
  return fields.report(name, `must be a number from 0 to 1, is ${shown(value.text)}`);
}

function shrinks(before: RolloutStage, stage: RolloutStage): boolean {
  if (before.items !== null && stage.items !== null) return stage.items <= before.items;
  if (before.ratio === null) return false;
  if (isWhole(before.ratio)) return true;
  if (stage.ratio === null) return false;
  const [a, b] = [parseRatio(before.ratio)!, parseRatio(stage.ratio)!];
  return b.numerator * a.denominator <= a.numerator * b.denominator;
}

function isWhole(ratio: string): boolean {
  const { numerator, denominator } = parseRatio(ratio)!;
  return numerator === denominator;
}
