import { inModes } from '../support/in-every-mode.js';
import { cancelAmidSpawning, nestedDescendants, publishNested, type NestedCancel } from '../support/nested-cancel.js';

const repetitions = Number(process.env.CANCEL_REPETITIONS ?? 20);
const when = 1_000;

inModes(
  ['services over RabbitMQ', 'services without a broker'],
  'a cancel amid spawning',
  (stage) => {
    it(`at ${when} of ${nestedDescendants} leaves nothing open within 5 s, ${repetitions} times of ${repetitions}`, async () => {
      const pipeline = await publishNested(stage);
      const all: NestedCancel[] = [];
      for (let i = 0; i < repetitions; i++) all.push(await cancelAmidSpawning(stage, pipeline, when));
      const most = (figure: keyof NestedCancel) => Math.max(...all.map((one) => one[figure]));
      const figures = {
        closedAfterMs: Math.round(most('closedAfterMs')),
        atCancel: most('atCancel'),
        atEnd: most('atEnd'),
        claimedAfter: most('claimedAfter'),
        bornAfter: most('bornAfter'),
      };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures).toMatchObject({ claimedAfter: 0, bornAfter: 0 });
      expect(figures.closedAfterMs).toBeLessThan(5_000);
    }, 300_000);
  },
  () => Promise.resolve({ orchestrators: 2, executors: 2 }),
);
