import 'reflect-metadata';
import { toldByEngine } from './told-by-engine.js';
import { runExecutor } from './run-executor.js';

const [, , name, when] = process.argv;
// The engine on one machine forks its executor before all else is there, and tells it what to be and when to begin.
const told = when === 'when-told' ? toldByEngine() : null;
await runExecutor(name, told?.begin, await told?.environment);
