// A scenario is `{name, options, run}`. `options` are its defaults by name: a list stands for a run per value (texts, or
// numbers), and the type of a default is the type of the option. `run({servers, build, limit}, options)` is called once per mode
// and yields figures; `first` names those that stand first in the line.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyOfBuild } from './build.mjs';
import { MODES } from './engine.mjs';
import { limitProgram } from './limit-program.mjs';
import { expectQuiet, startRecord } from './record.mjs';
import { startServers } from './servers.mjs';

/** Runs it when its file is the program. */
export const asProgram = async (scenario, { url }) => {
  if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(url))
    await runScenarios([scenario], process.argv.slice(2));
  return scenario;
};

/** Prints one line of JSON per measurement, and keeps it with `--record <folder>`. The exit code is 1 when an invariant was broken. */
export const runScenarios = async (scenarios, args) => {
  const { planned, record } = plan(scenarios, args);
  if (record) expectQuiet();
  // Ended by a signal, a process runs no exit handlers of its own accord; services and servers would stay.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  const build = copyOfBuild();
  let servers;
  try {
    const limit = limitProgram();
    const rabbitmq = planned.some(
      ({ scenario, options }) => options.mode === 'rabbitmq' || (limit && scenario.compared),
    );
    servers = await startServers(build, { rabbitmq });
    const names = scenarios.map(({ name }) => name);
    const keep = record ? await startRecord(record, names, servers) : () => undefined;
    for (const { scenario, options } of planned)
      for await (const figures of scenario.run({ servers, build, limit }, options)) {
        if (figures.fsck !== 'clean') process.exitCode = 1;
        const line = lineOf({ scenario: scenario.name, mode: options.mode, ...figures }, scenario.first);
        process.stdout.write(`${line}\n`);
        keep(line);
      }
  } finally {
    await servers?.stop();
    build.remove();
  }
};

/** `first` are figures that stand before the common ones. */
const lineOf = ({ scenario, mode, children, settledPerSecond = null, ...figures }, first = []) => {
  const { limitPerSecond = null, ratioToLimit = null, bytesPerChild = null, ...more } = figures;
  const leading = Object.fromEntries(first.map((name) => [name, figures[name] ?? null]));
  const common = { children, settledPerSecond, limitPerSecond, ratioToLimit, bytesPerChild };
  return JSON.stringify({ scenario, mode, ...leading, ...common, ...more });
};

/** One entry per scenario and mode; and the folder that what is measured is kept in, if any. */
const plan = (scenarios, args) => {
  const names = new Set(scenarios.flatMap(({ options }) => Object.keys(options)));
  const {
    values: { record, ...values },
  } = parseArgs({
    args,
    options: Object.fromEntries([...names, 'record'].map((name) => [name, { type: 'string' }])),
  });
  const planned = scenarios.flatMap((scenario) => {
    const options = { ...scenario.options };
    for (const [name, text] of Object.entries(values))
      if (name in options) options[name] = read(name, text, options[name]);
    const { mode: modes, ...others } = options;
    return modes.map((mode) => ({ scenario, options: { ...others, mode } }));
  });
  return { planned, record };
};

const read = (name, text, standard) => {
  if (name === 'mode') return text.split(',').map(readMode);
  if (Array.isArray(standard) && typeof standard[0] === 'string') return text.split(',');
  return Array.isArray(standard) ? text.split(',').map((part) => readNumber(name, part)) : readNumber(name, text);
};

const readMode = (text) => {
  if (MODES.includes(text)) return text;
  throw new Error(`--mode is one or more of ${MODES.join(',')}, not ${text}`);
};

const readNumber = (name, text) => {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`--${name} takes whole numbers, not ${text}`);
};
