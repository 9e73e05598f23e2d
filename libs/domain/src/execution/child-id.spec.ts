import fc from 'fast-check';
import { childId, childIdPrefix, childIdRange, itemIndexOf, topLevelId } from './child-id.js';

const root = topLevelId(1_900_000_000_000, new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
const number = fc.integer({ min: 0, max: 2 ** 42 - 1 });
const index = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('a derived child id', () => {
  it('is a version-8 UUID that carries its item index and lies in the range of its fan-out', () => {
    fc.assert(
      fc.property(number, index, (fanOut, item) => {
        const id = childId(root, fanOut, item);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(itemIndexOf(id)).toBe(item);
        const [first, last] = childIdRange(root, fanOut);
        expect(id >= first && id <= last && id.startsWith(childIdPrefix(root, fanOut))).toBe(true);
        expect(id.slice(0, 13)).toBe(root.slice(0, 13));
      }),
    );
  });

  it('is another one for every other fan-out or item, in item order', () => {
    fc.assert(
      fc.property(number, number, index, index, (f, g, i, j) => {
        const [a, b] = [childId(root, f, i), childId(root, g, j)];
        expect(a === b).toBe(f === g && i === j);
        if (f === g) expect(a < b).toBe(i < j);
        else expect(a < b).toBe(f < g);
      }),
    );
  });

  it('refuses what does not fit', () => {
    for (const bad of [-1, 1.5, 2 ** 31, NaN]) expect(() => childId(root, 1, bad)).toThrow(RangeError);
    for (const bad of [-1, 1.5, 2 ** 42, NaN]) expect(() => childId(root, bad, 1)).toThrow(RangeError);
  });
});

describe('the id of a top-level execution', () => {
  it('is a version-7 UUID in order of time', () => {
    expect(root).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(topLevelId(1, new Uint8Array(10)) < topLevelId(2, new Uint8Array(10))).toBe(true);
  });
});
