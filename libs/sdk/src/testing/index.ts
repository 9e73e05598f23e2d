export * from './run-in-memory.js';
export {
  NotInMemory,
  type CommandAnswer,
  type CommandCall,
  type HttpAnswer,
  type HttpCall,
  type StandIns,
} from './memory-performer.js';
export type { Taking } from './memory-engine.js';
