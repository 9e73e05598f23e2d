// Runs the scenarios named, in that order, on the same servers: `node bench/run.mjs throughput latency --mode postgres`.
import { backpressure } from './backpressure.mjs';
import { blocked } from './blocked.mjs';
import { control } from './control.mjs';
import { fairness } from './fairness.mjs';
import { graphs } from './graphs.mjs';
import { ingest } from './ingest.mjs';
import { latency } from './latency.mjs';
import { limits } from './limits.mjs';
import { map } from './map.mjs';
import { redrive } from './redrive.mjs';
import { runScenarios } from './support/scenario.mjs';
import { throughput } from './throughput.mjs';
import { turns } from './turns.mjs';

const scenarios = {
  throughput,
  latency,
  ingest,
  fairness,
  blocked,
  limits,
  turns,
  backpressure,
  control,
  redrive,
  graphs,
  map,
};
const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const names = firstOption < 0 ? args : args.slice(0, firstOption);
const unknown = names.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0) {
  process.stderr.write(`bench: no scenario ${unknown.join(', ')}; there are ${Object.keys(scenarios).join(', ')}\n`);
  process.exit(2);
}
const chosen = names.length > 0 ? names.map((name) => scenarios[name]) : [throughput];
await runScenarios(chosen, args.slice(names.length));
