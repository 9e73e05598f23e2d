/** An expression that fails at run time: a permanent failure of its task (api.md). */
export class ExpressionFailure extends Error {
  readonly code = 'EXPRESSION.FAILED';

  /**
   * @param expression the text between `${` and `}`, or the condition
   * @param path where it stands in the definition
   * @param itemIndex position of the item in scope
   */
  constructor(
    readonly expression: string,
    readonly path: string,
    message: string,
    readonly itemIndex?: number,
  ) {
    super(message);
    this.name = 'ExpressionFailure';
  }
}

/** `${secrets.NAME}` where this executor has no such secret: the task waits (api.md, `MISSING_SECRET`). */
export class MissingSecret extends Error {
  readonly code = 'MISSING_SECRET';

  /** @param secret the name, never the value */
  constructor(readonly secret: string) {
    super(`secret ${secret} is not known here`);
    this.name = 'MissingSecret';
  }
}
