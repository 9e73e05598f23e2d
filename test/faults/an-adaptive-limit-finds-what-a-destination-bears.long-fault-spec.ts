import { fanOut, numbers } from '../support/fan-out.js';
import { eventually } from '../support/eventually.js';
import { inModes } from '../support/in-every-mode.js';

/** Calls in flight as the sink counts them, which refuses those that are too many. */
class Bearing {
  inFlight = 0;
  calls = 0;
  refused = 0;
  private samples: { at: number; inFlight: number }[] = [];

  constructor(public bears: number) {}

  answer = async (): Promise<{ status?: number }> => {
    this.calls++;
    if (this.inFlight >= this.bears) {
      this.refused++;
      return { status: 429 };
    }
    this.inFlight++;
    await new Promise((resolve) => setTimeout(resolve, 150 + ((this.calls * 37) % 100)));
    this.inFlight--;
    return {};
  };

  sample(): void {
    this.samples.push({ at: performance.now(), inFlight: this.inFlight });
  }

  /** Mean of what was in flight within the last so many milliseconds. */
  meanOf(lastMs: number): number {
    const from = performance.now() - lastMs;
    const recent = this.samples.filter(({ at }) => at >= from);
    return recent.reduce((sum, { inFlight }) => sum + inFlight, 0) / recent.length;
  }
}

inModes(
  ['services without a broker', 'services over RabbitMQ'],
  'an adaptive limit',
  (stage) => {
    it('settles at what the destination bears within 30 s with few refusals, and follows it down within 10 s', async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      const bearing = new Bearing(12);
      sink.answer(bearing.answer);
      await api.limit('model', { adaptive: true });
      const name = stage.name();
      const retry = { maxAttempts: 2, initialDelay: '500ms', backoff: 1 };
      await api.publish(fanOut(name, sink.url, { node: { destinations: ['model'], retry } }));
      const sampling = setInterval(() => bearing.sample(), 20);
      try {
        const { id } = await api.start(name, { items: numbers(4_000) });
        await eventually(() => expect(bearing.calls).toBeGreaterThan(0));
        const limitAt = async () => (await api.destination('model')).adaptiveLimit as number;
        const after = async (ms: number) => {
          const end = performance.now() + ms;
          await eventually(() => performance.now() >= end, { timeoutMs: ms + 5_000, everyMs: 100 });
        };
        await after(25_000);
        const settled: number[] = [];
        await eventually(async () => settled.push(await limitAt()) >= 25, { everyMs: 200, timeoutMs: 15_000 });
        const cold = {
          limits: [...new Set(settled)],
          meanInFlight: Math.round(bearing.meanOf(5_000) * 10) / 10,
          calls: bearing.calls,
          refused: bearing.refused,
          refusedShare: Math.round((bearing.refused / bearing.calls) * 1_000) / 1_000,
        };
        bearing.bears = 4;
        const loweredAt = performance.now();
        await eventually(async () => expect(await limitAt()).toBeLessThanOrEqual(4), {
          timeoutMs: 10_000,
          everyMs: 50,
        });
        const followedMs = Math.round(performance.now() - loweredAt);
        const { refused, calls } = bearing;
        await after(8_000);
        const low = {
          followedMs,
          limit: await limitAt(),
          meanInFlight: Math.round(bearing.meanOf(5_000) * 10) / 10,
          refusedShare: Math.round(((bearing.refused - refused) / (bearing.calls - calls)) * 1_000) / 1_000,
        };
        process.stderr.write(`adaptive limit: ${JSON.stringify({ cold, low })}\n`);
        expect(Math.min(...settled)).toBeGreaterThanOrEqual(9);
        // One more is tried now and then, and taken back.
        expect(settled.filter((limit) => limit > 12).length).toBeLessThan(settled.length / 4);
        expect(cold.meanInFlight).toBeGreaterThan(8);
        expect(cold.refusedShare).toBeLessThan(0.05);
        expect(low.limit).toBeLessThanOrEqual(5);
        expect(low.meanInFlight).toBeGreaterThan(2.5);
        await api.act(id, 'cancel');
        await api.settled(id, 30_000);
      } finally {
        clearInterval(sampling);
      }
    }, 120_000);
  },
  async () => ({ executors: 2 }),
);
