import type { Logger } from './logger.js';

/** Writes nothing; the default of anything that can be used without a process around it. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
