/** Lists of codes: single integers, or inclusive ranges as `"200-299"`. */
import { jsonKind } from '../../json/cut.js';
import { decodeString } from '../../json/string-text.js';
import { readInteger, type Fields } from '../fields.js';

export type Ranges = readonly (readonly [number, number])[];

/** Null when absent or wrong. */
export function readRanges(fields: Fields, name: string, min: number, max: number): Ranges | null {
  const list = fields.list(name);
  if (!list) return null;
  const ranges: [number, number][] = [];
  for (const entry of list) {
    if (jsonKind(entry.text) !== 'string') {
      const code = readInteger(entry, min, max, fields.place);
      if (code !== null) ranges.push([code, code]);
      continue;
    }
    const parts = /^(\d{1,3})-(\d{1,3})$/.exec(decodeString(entry.text));
    const [from, to] = parts ? [Number(parts[1]), Number(parts[2])] : [NaN, NaN];
    if (from >= min && from <= to && to <= max) ranges.push([from, to]);
    else
      fields.place.report.add(
        entry.path,
        `must be a range from ${min} to ${max} like "${min}-${max}", is ${entry.text}`,
      );
  }
  return ranges;
}
