import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Lets Nest speak through our logger. Nest passes its context as the last argument and a stack before it. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest's own account of wiring modules and routes is of use only to who looks for it.
    this.logger.debug(...line(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(...line(message, rest));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(...line(message, rest));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(...line(message, rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(...line(message, rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.error(...line(message, rest));
  }
}

const line = (message: unknown, rest: readonly unknown[]): [Record<string, unknown>, string] => {
  const context = rest.at(-1);
  const fields: Record<string, unknown> = {};
  if (typeof context === 'string') fields.context = context;
  const extra = typeof context === 'string' ? rest.slice(0, -1) : rest;
  if (message instanceof Error) return [{ ...fields, err: message }, message.message];
  const stack = extra.find((value) => value !== undefined);
  if (stack !== undefined) fields.detail = stack;
  return typeof message === 'object' && message !== null ? [{ ...fields, ...message }, ''] : [fields, String(message)];
};
