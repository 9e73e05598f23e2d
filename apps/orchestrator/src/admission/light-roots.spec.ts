import { lightRoots } from './light-roots.js';

const light = (slots: number, ...loads: readonly [root: string, size: number][]): string[] => [
  ...lightRoots(
    loads.map(([root, size]) => ({ root, size })),
    slots,
  ),
];

describe('light roots', () => {
  it('are those that run no more than an equal share of the slots, all that they have taken together', () => {
    expect(light(20, ['large', 300], ['small', 10])).toEqual(['small']);
    expect(light(20, ['large', 300], ['small', 11])).toEqual([]);
    expect(light(20, ['large', 300], ['small', 6], ['small', 5])).toEqual([]);
    expect(light(100, ['a', 30], ['b', 33], ['c', 40])).toEqual(['a', 'b']);
  });

  it('are never one alone, and nobody where nothing has slots', () => {
    expect(light(20, ['only', 1])).toEqual([]);
    expect(light(0, ['a', 1], ['b', 1])).toEqual([]);
  });
});
