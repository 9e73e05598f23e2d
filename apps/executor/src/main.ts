import 'reflect-metadata';
import { runExecutor } from './run-executor.js';

const [, , name, when] = process.argv;
// The engine on one machine forks its executor before all else is there, and tells it when to begin.
const told = when === 'when-told' ? new Promise((resolve) => process.once('message', resolve)) : Promise.resolve();
await runExecutor(name, told);
