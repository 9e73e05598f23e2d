import { linesWith, shipped } from './sources.js';

const linesOf = (pattern: RegExp, exceptions: readonly string[]) =>
  shipped
    .filter(({ path }) => !exceptions.some((exception) => path.startsWith(exception)))
    .flatMap((file) => linesWith(file, pattern));

describe('what is not a function of its arguments', () => {
  it('wall time is read by the clock of the runtime', () => {
    expect(
      linesOf(/\bDate\.now\(|\bnew Date\(\)/, [
        'libs/runtime/src/',
        // Ids carry the time of their making; no decision reads it.
        'apps/api/src/access/api-keys.controller.ts',
        'apps/api/src/datasets/datasets.service.ts',
        'apps/api/src/executions/execution-start.service.ts',
        // The default of a query: the last hour.
        'apps/api/src/operations/operations.controller.ts',
      ]),
    ).toEqual([]);
  });

  it('monotonic time is read by the clock of the runtime', () => {
    expect(
      linesOf(/\bperformance\.now\(|\bhrtime\b/, [
        'libs/runtime/src/',
        // How long an answer took, for its histogram.
        'apps/api/src/request/request-metrics.ts',
        // A page ends early when its time is used up.
        'apps/api/src/executions/execution-lists.ts',
        // How long a child process lived.
        'apps/standalone/src/',
      ]),
    ).toEqual([]);
  });

  it('randomness comes from the runtime', () => {
    expect(
      linesOf(/\bMath\.random\(|\brandomUUID\(|\brandomBytes\(|\brandomInt\(/, [
        'libs/runtime/src/',
        // Ids and secrets that the api gives out; no decision depends on them.
        'apps/api/src/access/api-keys.controller.ts',
        'apps/api/src/datasets/datasets.service.ts',
        'apps/api/src/executions/execution-start.service.ts',
        'apps/api/src/idempotency/request-keys.ts',
        // The client of the SDK, in other people's programs: a key for each call, and the spread of its retries.
        'libs/sdk/src/client/engine-call.ts',
      ]),
    ).toEqual([]);
  });

  it('the environment is read by the configuration', () => {
    expect(
      linesOf(/\bprocess\.env\b/, [
        'libs/runtime/src/config/',
        // What a command inherits is an explicit allow-list, cut from this.
        'apps/executor/src/nodes/process/environment.ts',
        // What a command line is given; and what the engine that it starts inherits.
        'apps/cli/src/environment.ts',
        // The demo configures the engine it starts.
        'apps/standalone/src/demo.ts',
      ]),
    ).toEqual([]);
  });

  it('nothing is written to the console but by the programs people run', () => {
    expect(linesOf(/\bconsole\.\w+\(/, ['apps/cli/', 'apps/standalone/src/demo'])).toEqual([]);
  });
});
