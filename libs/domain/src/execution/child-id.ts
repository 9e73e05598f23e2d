/**
 * Derived child ids. A child's id is a version-8 UUID made of 48 bits of the root's creation time (milliseconds),
 * 42 bits of the fan-out's number and 32 bits of item index (at most 2^31-1). So the primary key itself forbids a second
 * child (I1), the children of a fan-out are one range in item order, and all descendants of a root lie close together.
 */
const maxItemIndex = 2 ** 31 - 1;
const maxFanOutNumber = 2 ** 42 - 1;

/**
 * The id of the child at `itemIndex` of fan-out `fanOutNumber` below `rootId`.
 * @throws RangeError when the number or the index is out of range.
 */
export function childId(rootId: string, fanOutNumber: number, itemIndex: number): string {
  if (!Number.isSafeInteger(itemIndex) || itemIndex < 0 || itemIndex > maxItemIndex)
    throw new RangeError(`item index ${itemIndex} is outside 0..${maxItemIndex}`);
  return childIdPrefix(rootId, fanOutNumber) + hex(itemIndex, 8);
}

/** The first and the last id that a child of this fan-out can have: the bounds of its range, both included. */
export function childIdRange(rootId: string, fanOutNumber: number): readonly [string, string] {
  const prefix = childIdPrefix(rootId, fanOutNumber);
  return [`${prefix}00000000`, `${prefix}7fffffff`];
}

/** Everything of a child's id but its last eight hexadecimal digits, which are the item index. */
export function childIdPrefix(rootId: string, fanOutNumber: number): string {
  if (!Number.isSafeInteger(fanOutNumber) || fanOutNumber < 0 || fanOutNumber > maxFanOutNumber)
    throw new RangeError(`fan-out number ${fanOutNumber} is outside 0..${maxFanOutNumber}`);
  const time = rootId.slice(0, 13);
  const high = Math.floor(fanOutNumber / 2 ** 30);
  const low = fanOutNumber % 2 ** 30;
  const variant = hex(0x8000 + Math.floor(low / 2 ** 16), 4);
  return `${time}-8${hex(high, 3)}-${variant}-${hex(low % 2 ** 16, 4)}`;
}

/** The item index that a derived child id carries. */
export function itemIndexOf(id: string): number {
  return parseInt(id.slice(-8), 16);
}

/** Whether an id is that of a top-level execution: version 7, where children have version 8. */
export function isTopLevelId(id: string): boolean {
  return id[14] === '7';
}

/** A version-7 UUID from a time and 10 random bytes: the id of a top-level execution. */
export function topLevelId(millis: number, random: Uint8Array): string {
  const r = Array.from(random.subarray(0, 10), (b) => hex(b, 2)).join('');
  const time = hex(millis, 12);
  const variant = hex(0x8 + (parseInt(r[3]!, 16) % 4), 1);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${r.slice(0, 3)}-${variant}${r.slice(4, 7)}-${r.slice(7, 19).padEnd(12, '0')}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
