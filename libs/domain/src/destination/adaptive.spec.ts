import { adapt, freshAdaptiveState, type AdaptiveState } from './adaptive.js';

/** A sink that refuses what is one too many, called as often at once as the limit allows; a report every 50 ms. */
class Sink {
  state: AdaptiveState = freshAdaptiveState;
  now = 1_000_000;
  calls = 0;
  refusals = 0;
  private open: { began: number; ends: number }[] = [];

  constructor(
    public bears: number,
    private readonly takesMs: number,
    private readonly most = 1_024,
  ) {}

  run(seconds: number): this {
    for (const end = this.now + seconds * 1_000; this.now < end;) {
      this.now += 50;
      const ended = this.open.filter(({ ends }) => ends <= this.now);
      this.open = this.open.filter(({ ends }) => ends > this.now);
      const refused: number[] = [];
      // A refused call leaves its place to another, which is refused as well, until the report is in.
      for (let i = this.open.length; i < this.state.limit + (refused.length > 0 ? 3 : 0); i++) {
        this.calls++;
        if (this.open.length < this.bears) this.open.push({ began: this.now, ends: this.now + this.takesMs });
        else refused.push(this.now);
      }
      this.refusals += refused.length;
      const meanMs = ended.length === 0 ? null : this.takesMs;
      this.state = adapt(this.state, {
        now: this.now + 1,
        held: this.open.length,
        most: this.most,
        successes: ended.length,
        meanMs,
        refused,
      });
    }
    return this;
  }
}

describe('the search for a limit', () => {
  it.each([50, 200, 1_000])('settles just below what is refused, for calls of %i ms, with few refusals', (takesMs) => {
    const sink = new Sink(12, takesMs).run(30);
    expect(sink.state.limit).toBeGreaterThanOrEqual(9);
    expect(sink.state.limit).toBeLessThanOrEqual(13);
    expect(sink.refusals / sink.calls).toBeLessThan(0.05);
    const { refusals } = sink;
    sink.run(120);
    expect(sink.state.limit).toBeGreaterThanOrEqual(11);
    expect(sink.refusals - refusals).toBeLessThan(15);
  });

  it.each([50, 200, 1_000])('follows within ten seconds when less is borne, for calls of %i ms', (takesMs) => {
    const sink = new Sink(12, takesMs).run(60);
    sink.bears = 4;
    sink.run(10);
    expect(sink.state.limit).toBeLessThanOrEqual(5);
    expect(sink.state.limit).toBeGreaterThanOrEqual(2);
  });

  it('finds out that more is borne', () => {
    const sink = new Sink(4, 100).run(60);
    sink.bears = 30;
    sink.run(120);
    expect(sink.state.limit).toBeGreaterThan(20);
  });

  it('never goes beyond the limit that is set, nor below one', () => {
    expect(new Sink(100, 50, 7).run(30).state.limit).toBe(7);
    expect(new Sink(0, 50).run(30).state.limit).toBe(1);
  });

  it('does not grow while it is not what holds calls back, nor while calls take much longer', () => {
    const report = { now: 1, held: 0, most: 100, successes: 1, meanMs: 50, refused: [] };
    let idle = freshAdaptiveState;
    for (let i = 0; i < 100; i++) idle = adapt(idle, report);
    expect(idle.limit).toBe(freshAdaptiveState.limit);
    let slow = adapt(freshAdaptiveState, { ...report, held: 4 });
    for (let i = 0; i < 20; i++) slow = adapt(slow, { ...report, held: 100, successes: 100, meanMs: 500 });
    expect(slow.limit).toBe(freshAdaptiveState.limit);
  });
});
