import { fanOut } from '../support/fan-out.js';
import { inModes } from '../support/in-every-mode.js';
import { densest } from '../support/windows.js';

/**
 * Limits of 60 requests and 90,000 tokens a minute, sixty times as fast. A claim counts when it is made, its call begins within a twentieth
 * of the window, and has as much again for its way; the clock of the test, which is busy too, is allowed this much more.
 */
const REQUESTS = 60;
const TOKENS = 90_000;
const JITTER_MS = 5;
const CALLS = Number(process.env.FANFOLD_TEST_LLM_CALLS ?? 600);

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'an LLM batch in miniature',
  (stage) => {
    it(`makes ${CALLS} calls: all succeed, and no second has more requests or tokens than allowed`, async () => {
      const { engine, sink } = stage;
      const { api } = engine;
      await api.limit('llm', { rate: { limit: REQUESTS, per: '1s' }, maxConcurrency: 50 });
      await api.limit('llm-tokens', { rate: { limit: TOKENS, per: '1s' } });
      let refused = 0;
      sink.answer((_call, index) => {
        // About one in forty, in no pattern that a batch could have.
        if ((index * 7919) % 41 !== 0) return { delayMs: 50 + ((index * 31) % 200) };
        refused++;
        return { status: 429 };
      });
      const name = stage.name();
      await api.publish(
        fanOut(name, sink.url, {
          node: {
            destinations: ['llm', { name: 'llm-tokens', cost: '${item.tokens}' }],
            retry: { maxAttempts: 2, initialDelay: '100ms', backoff: 1 },
          },
        }),
      );
      const items = Array.from({ length: CALLS }, (_, n) => ({ n, tokens: 200 + ((n * 997) % 2_600) }));
      const { id } = await api.start(name, { items });
      const done = await api.settled(id, 60_000 + CALLS * 60);
      expect(done).toMatchObject({ state: 'SUCCEEDED', fanOuts: [{ succeeded: CALLS, failed: 0 }] });
      const tokens = sink.calls.map((call) => ({
        at: call.at,
        units: (JSON.parse(call.body) as { tokens: number }).tokens,
      }));
      const requests = tokens.map(({ at }) => ({ at, units: 1 }));
      const seconds = (requests.at(-1)!.at - requests[0]!.at) / 1_000;
      const figures = {
        calls: sink.calls.length,
        refused,
        seconds: Math.round(seconds * 10) / 10,
        requestsPerSecond: Math.round((sink.calls.length / seconds) * 10) / 10,
        mostRequestsInASecond: densest(requests, 1_000 - JITTER_MS),
        mostTokensInASecond: densest(tokens, 1_000 - JITTER_MS),
      };
      process.stderr.write(`LLM batch: ${JSON.stringify(figures)}\n`);
      expect(figures.mostRequestsInASecond).toBeLessThanOrEqual(REQUESTS);
      expect(figures.mostTokensInASecond).toBeLessThanOrEqual(TOKENS);
      expect(refused).toBeGreaterThan(0);
    }, 480_000);
  },
  async () => ({ executors: 2 }),
);
