import { Metrics } from '../metrics/metrics.js';
import { Loop } from './loop.js';

const turnsOf = async (count: () => number, wanted: number) => {
  for (let i = 0; i < 400 && count() < wanted; i += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  return count();
};

describe('a loop', () => {
  let loop: Loop | undefined;
  afterEach(() => loop?.stop());

  it('turns at once, then rests for its interval', async () => {
    let turns = 0;
    loop = new Loop({ name: 'rest', intervalMs: 60_000, runOnce: async () => void (turns += 1) }).start();
    await turnsOf(() => turns, 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(turns).toBe(1);
  });

  it('goes on without a rest while there is work', async () => {
    let left = 50;
    loop = new Loop({ name: 'busy', intervalMs: 60_000, runOnce: async () => (left -= 1) }).start();
    expect(await turnsOf(() => 50 - left, 50)).toBe(50);
  });

  it('never overlaps itself, and a ring during a turn causes exactly one more', async () => {
    let open = 0;
    let most = 0;
    let turns = 0;
    let release = () => {};
    loop = new Loop({
      name: 'single',
      intervalMs: 60_000,
      runOnce: async () => {
        open += 1;
        most = Math.max(most, open);
        turns += 1;
        if (turns === 1) await new Promise<void>((resolve) => (release = resolve));
        open -= 1;
      },
    }).start();
    await turnsOf(() => turns, 1);
    for (let i = 0; i < 5; i += 1) loop.ring();
    release();
    await turnsOf(() => turns, 2);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect({ turns, most }).toEqual({ turns: 2, most: 1 });
  });

  it('survives errors, counts them, and backs off although it is rung', async () => {
    let turns = 0;
    const metrics = new Metrics();
    loop = new Loop({
      name: 'broken',
      intervalMs: 100,
      metrics,
      runOnce: async () => {
        turns += 1;
        loop?.ring();
        if (turns < 3) throw new Error('not yet');
        return turns < 4 ? 1 : 0;
      },
    }).start();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(turns).toBe(1);
    expect(await turnsOf(() => turns, 4)).toBeGreaterThanOrEqual(4);
    expect(await metrics.text()).toContain('fanfold_loop_turns_total{loop="broken",outcome="error"} 2');
  });

  it('waits at stop for the turn in flight, tells it so, and turns no more', async () => {
    let ended = false;
    let told = false;
    let turns = 0;
    loop = new Loop({
      name: 'stop',
      intervalMs: 1,
      runOnce: async (signal) => {
        turns += 1;
        await new Promise((resolve) => setTimeout(resolve, 40));
        told = signal.aborted;
        ended = true;
        return 1;
      },
    }).start();
    await turnsOf(() => turns, 1);
    await loop.stop();
    expect({ ended, told, turns }).toEqual({ ended: true, told: true, turns: 1 });
    loop.ring();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toBe(1);
  });
});
