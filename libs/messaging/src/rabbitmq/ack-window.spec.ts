import fc from 'fast-check';
import { AckWindow } from './ack-window.js';

describe('an acknowledgement window', () => {
  it('acknowledges only what is contiguous and done', () => {
    const acks = new AckWindow();
    acks.finish(2);
    acks.finish(3);
    expect(acks.take()).toBeUndefined();
    acks.finish(1);
    expect(acks.take()).toBe(3);
    expect(acks.take()).toBeUndefined();
  });

  it('in any order never passes what is in flight, and ends with everything acknowledged', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (some) => {
        const all = [...some, ...Array.from({ length: 60 }, (_, i) => i + 1).filter((tag) => !some.includes(tag))];
        const acks = new AckWindow();
        const done = new Set<number>();
        let last = 0;
        for (const tag of all) {
          acks.finish(tag);
          done.add(tag);
          last = acks.take() ?? last;
          for (let below = 1; below <= last; below += 1) expect(done.has(below)).toBe(true);
        }
        expect(last).toBe(60);
      }),
    );
  });
});
