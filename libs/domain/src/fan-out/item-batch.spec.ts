import { ItemBatch } from './item-batch.js';

const batchesOf = (items: readonly string[], maxItems: number, maxBytes: number): string[] => {
  const batch = new ItemBatch({ maxItems, maxBytes });
  const whole = items.map((item) => batch.add(item, item.length));
  return [...whole, batch.take()].filter((text) => text !== null);
};

describe('a batch of items', () => {
  it('is full at its number of items, and the last one has what is left', () => {
    expect(batchesOf(['1', '2', '3', '4', '5'], 2, 100)).toEqual(['[1,2]', '[3,4]', '[5]']);
    expect(batchesOf(['1', '2'], 2, 100)).toEqual(['[1,2]']);
    expect(batchesOf([], 2, 100)).toEqual([]);
  });

  it('is full at its bytes, and an item that is larger alone is alone', () => {
    expect(batchesOf(['"aa"', '"bb"', '"c"'], 10, 8)).toEqual(['["aa","bb"]', '["c"]']);
    expect(batchesOf(['1', '"larger than that"', '2', '3'], 10, 8)).toEqual(['[1]', '["larger than that"]', '[2,3]']);
  });
});
