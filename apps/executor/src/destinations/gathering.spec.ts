import { SystemClock } from '@app/runtime';
import { Gathering } from './gathering.js';

describe('a gathering', () => {
  it('flushes the first at once, what comes meanwhile as one, and never two at a time', async () => {
    const batches: number[][] = [];
    let open = 0;
    let most = 0;
    let release: (() => void)[] = [];
    const flushed = () => new Promise<void>((resolve) => (onFlush = resolve));
    let onFlush = (): void => undefined;
    const gathering = new Gathering<number>(0, new SystemClock(), async (items) => {
      batches.push([...items]);
      most = Math.max(most, ++open);
      onFlush();
      await new Promise<void>((resolve) => release.push(resolve));
      open--;
    });
    let next = flushed();
    gathering.add();
    gathering.add(1);
    await next;
    gathering.add(2, 3);
    gathering.add(4);
    next = flushed();
    release.splice(0).forEach((go) => go());
    await next;
    release.splice(0).forEach((go) => go());
    release = [];
    expect(batches).toEqual([[1], [2, 3, 4]]);
    expect(most).toBe(1);
  });
});
