import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Defect } from '@app/domain';

const kept = 200;

/** Input schemas, compiled once per text. Schemas of other documents are never fetched. */
export class InputSchemas {
  private readonly compiled = new Map<string, ValidateFunction>();

  /** Null when the schema can be used, else what is wrong with it. */
  defect(schema: string): string | null {
    try {
      this.validatorOf(schema);
      return null;
    } catch (error) {
      return (error as Error).message.slice(0, 500);
    }
  }

  /** Every way in which the input does not fit the schema. */
  check(schema: string, input: string): Defect[] {
    const validate = this.validatorOf(schema);
    if (validate(JSON.parse(input))) return [];
    return (validate.errors ?? []).map((error) => ({
      path: `input${error.instancePath.replaceAll('/', '.')}`,
      message: error.message ?? 'does not fit the input schema',
    }));
  }

  private validatorOf(schema: string): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known) return known;
    const value = JSON.parse(schema) as { $schema?: unknown };
    const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
    const is2020 = typeof value.$schema === 'string' && value.$schema.includes('2020-12');
    const validate = (is2020 ? new Ajv2020(options) : new Ajv(options)).compile(value as object);
    this.compiled.set(schema, validate);
    if (this.compiled.size > kept) this.compiled.delete(this.compiled.keys().next().value!);
    return validate;
  }
}
