/** Injection token of the process's {@link Logger}. */
export const LOGGER = Symbol('LOGGER');

export type LogFields = Readonly<Record<string, unknown>>;

/** What any of our code needs to write a structured line. An `err` field carries an error. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds `fields` to every line. */
  child(fields: LogFields): Logger;
}
