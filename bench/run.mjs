// Runs the scenarios named, in that order, on the same servers: `node bench/run.mjs throughput latency --mode postgres`.
import { backpressure } from './backpressure.mjs';
import { blocked } from './blocked.mjs';
import { contention } from './contention.mjs';
import { control } from './control.mjs';
import { failures } from './failures.mjs';
import { fairness } from './fairness.mjs';
import { firstChild } from './first-child.mjs';
import { graphs } from './graphs.mjs';
import { growth } from './growth.mjs';
import { ingest } from './ingest.mjs';
import { latency } from './latency.mjs';
import { limits } from './limits.mjs';
import { map } from './map.mjs';
import { peers } from './peers.mjs';
import { reads } from './reads.mjs';
import { redrive } from './redrive.mjs';
import { retries } from './retries.mjs';
import { runScenarios } from './support/scenario.mjs';
import { threeNodes } from './three-nodes.mjs';
import { throughput } from './throughput.mjs';
import { turns } from './turns.mjs';
import { watchers } from './watchers.mjs';

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
  retries,
  failures,
  'three-nodes': threeNodes,
  'first-child': firstChild,
  contention,
  growth,
  reads,
  watchers,
  peers,
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
