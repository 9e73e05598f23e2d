import { Engine, modes, type EngineOptions, type Mode } from './engine.js';
import { Sink } from './sink.js';

/** What a test is given. */
export interface Stage {
  readonly engine: Engine;
  readonly sink: Sink;
  /** A pipeline name nobody else uses. */
  name(): string;
}

const chosen = (process.env.FANFOLD_TEST_MODES?.split(',') ?? []).map((part) => part.trim());

/** The modes of this run: all, unless FANFOLD_TEST_MODES names some by a part of their names. */
export const modesOfThisRun: readonly Mode[] = modes.filter(
  (mode) => chosen.length === 0 || chosen.some((part) => mode.includes(part)),
);

/** Where FANFOLD_TEST_MODES rules out all of them, the first: a file without tests would be an error. */
const runnable = (of: readonly Mode[]): readonly Mode[] => {
  const both = of.filter((mode) => modesOfThisRun.includes(mode));
  return both.length > 0 ? both : of.slice(0, 1);
};

type OwnEngine = Omit<EngineOptions, 'mode'>;

/**
 * The same tests against the services over RabbitMQ, the services without a broker, and standalone. Every suite ends with
 * a check of the invariants over everything the engine holds.
 *
 * Where FANFOLD_TEST_BRIEF is set, as `npm test` does, without the second: the standalone engine is on the same bus.
 *
 * @param options for an engine of the suite's own; without them it uses the one that all suites of the run share
 */
export const inEveryMode = (promise: string, tests: (stage: Stage) => void, options?: OwnEngine): void =>
  suites(
    process.env.FANFOLD_TEST_BRIEF && chosen.length === 0
      ? modesOfThisRun.filter((mode) => mode !== 'services without a broker')
      : modesOfThisRun,
    promise,
    tests,
    options && (() => Promise.resolve(options)),
  );

/**
 * The same in some modes only, for faults that need not be met three times; where FANFOLD_TEST_BRIEF is set, as `npm test`
 * does, in the first of them.
 */
export const inModes = (
  of: readonly Mode[],
  promise: string,
  tests: (stage: Stage) => void,
  options?: (mode: Mode) => Promise<OwnEngine>,
): void => suites(runnable(process.env.FANFOLD_TEST_BRIEF ? of.slice(0, 1) : of), promise, tests, options);

const suites = (
  of: readonly Mode[],
  promise: string,
  tests: (stage: Stage) => void,
  options?: (mode: Mode) => Promise<OwnEngine>,
): void => {
  describe.each(of)(`${promise}: %s`, (mode) => {
    let engine: Engine;
    let sink: Sink;
    let count = 0;
    const prefix = promise
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 60);
    beforeAll(async () => {
      sink = await Sink.start();
      engine = options ? await Engine.start({ mode, ...(await options(mode)) }) : await Engine.shared(mode);
    }, 120_000);
    beforeEach(() => {
      sink.reset();
      sink.answer(() => ({}));
    });
    afterAll(async () => {
      if (!engine) return sink?.close();
      const breaches = await engine.fsck();
      if (options || breaches.length > 0) await engine.stop();
      else await engine.leave();
      await sink.close();
      expect(breaches).toEqual([]);
    }, 120_000);
    tests({
      get engine() {
        return engine;
      },
      get sink() {
        return sink;
      },
      name: () => `${prefix}-${(count += 1)}`,
    });
  });
};
