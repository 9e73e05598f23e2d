import 'reflect-metadata';
import { runOrchestrator } from './run-orchestrator.js';

await runOrchestrator();
