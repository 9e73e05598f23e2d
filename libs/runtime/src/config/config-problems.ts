/** One thing wrong with the configuration, named by the variable to be changed. */
export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

/** Everything wrong with the configuration at once, so that nobody has to mend it one restart at a time. */
export class ConfigProblems extends Error {
  override readonly name = 'ConfigProblems';
  readonly code = 'CONFIG.INVALID';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(problems.map(({ variable, message }) => `${variable}: ${message}`).join('\n'));
  }
}
