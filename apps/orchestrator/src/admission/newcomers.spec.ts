import { Newcomers } from './newcomers.js';

describe('the newcomers of a queue', () => {
  it('are all of them when none was there before', () => {
    const newcomers = new Newcomers();
    expect(newcomers.look(['a', 'b'], 0).all).toBe(true);
    expect(newcomers.look(['b', 'c'], 20).all).toBe(false);
    expect(newcomers.look(['d'], 40).all).toBe(true);
  });

  it('are young beside older ones only, and for half a second', () => {
    const newcomers = new Newcomers();
    expect(newcomers.look(['a'], 0).young).toEqual(new Set());
    expect(newcomers.look(['a', 'b'], 600).young).toEqual(new Set(['b']));
    expect(newcomers.look(['a', 'b'], 1_099).young).toEqual(new Set(['b']));
    expect(newcomers.look(['a', 'b'], 1_100).young).toEqual(new Set());
  });
});
