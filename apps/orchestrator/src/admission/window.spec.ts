import { Window } from './window.js';

describe('the window of a queue', () => {
  it('is what the executors take in half a second, and at least two tasks a slot', () => {
    const window = new Window(5_000);
    expect(window.size(0, 0, 20, 0)).toBe(40);
    expect(window.size(5_000, 0, 20, 500)).toBe(5_000);
    expect(window.size(5_000 + 50, 0, 20, 750)).toBeLessThan(5_000);
  });

  it('never goes above its bound', () => {
    const window = new Window(300);
    window.size(0, 0, 20, 0);
    expect(window.size(100_000, 0, 20, 500)).toBe(300);
  });

  it('forgets the pace of earlier work once the queue was quiet', () => {
    const window = new Window(5_000);
    window.size(0, 0, 20, 0);
    window.size(10_000, 0, 20, 500);
    expect(window.size(10_000, 0, 20, 10_000)).toBe(40);
  });

  it('sees at once that short tasks have begun', () => {
    const window = new Window(5_000);
    window.size(0, 0, 100, 0);
    expect(window.size(400, 0, 100, 40)).toBe(5_000);
  });

  it('believes a slower pace at once where work was left to take', () => {
    const window = new Window(5_000);
    window.size(0, 0, 20, 0);
    expect(window.size(2_000, 0, 20, 250)).toBe(4_000);
    expect(window.size(6_000, 4_000, 20, 260)).toBe(4_000);
    expect(window.size(6_000, 3_990, 20, 510)).toBe(2_010);
    expect(window.size(6_000, 3_940, 20, 760)).toBe(100);
  });

  it('knows nothing of the pace of other work', () => {
    const window = new Window(5_000);
    window.size(0, 0, 20, 0);
    expect(window.size(2_000, 0, 20, 250)).toBe(4_000);
    window.restart();
    expect(window.size(2_000, 0, 20, 270)).toBe(40);
  });

  it('does not take slots that were freed together for a rate', () => {
    const window = new Window(5_000);
    window.size(0, 0, 20, 0);
    expect(window.size(20, 0, 20, 50)).toBe(40);
    expect(window.size(60, 0, 20, 300)).toBe(100);
  });
});
