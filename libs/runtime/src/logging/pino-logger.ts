import { pino, type DestinationStream } from 'pino';
import type { Logger } from './logger.js';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What every line of a process carries, and where lines go (standard output unless told otherwise). */
export interface LoggerOptions {
  readonly level: LogLevel;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly destination?: DestinationStream;
}

// A credential that slipped into a logged object is worse than a line that says less.
const redact = {
  paths: [
    'authorization',
    '*.authorization',
    'headers.authorization',
    '*.headers.authorization',
    'password',
    '*.password',
    'apiKey',
    '*.apiKey',
  ],
  censor: '[redacted]',
};

/** Of an error what a reader needs; whatever a library hung on it (a whole connection, with its keys) stays out. */
const errorFields = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(cause instanceof Error && { cause: cause.message }),
    stack,
  };
};

/** A structured logger: one JSON object a line, level by name, time in ISO 8601. */
export const createLogger = ({ level, fields = {}, destination }: LoggerOptions): Logger => {
  const options = {
    level,
    redact,
    serializers: { err: errorFields },
    base: { ...fields },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
};
