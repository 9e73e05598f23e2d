import 'reflect-metadata';
import { runExecutor } from './run-executor.js';

await runExecutor(process.argv[2]);
