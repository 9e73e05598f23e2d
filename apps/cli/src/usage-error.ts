/** What was asked for cannot be done as it was asked: told in one line that says what to do instead, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** It was understood and could not be done: told in one line, exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
