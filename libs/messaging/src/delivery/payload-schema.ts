/** Any validator that speaks Standard Schema, zod among them. */
export interface PayloadSchema {
  readonly '~standard': {
    validate(value: unknown): SchemaResult | Promise<SchemaResult>;
  };
}

interface SchemaResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string }[] | undefined;
}
