import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiQuery } from '@nestjs/swagger';
import { z } from 'zod';

type OpenApiSchema =
  NonNullable<Parameters<typeof ApiBody>[0]> extends infer Options
    ? Options extends { schema: infer Schema }
      ? Schema
      : never
    : never;

/** Documents a JSON body by the schema that reads it. */
export function ApiJsonBody(schema: z.ZodType, required = true): MethodDecorator {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  delete json.$schema;
  return ApiBody({ required, schema: json as OpenApiSchema });
}

/** Documents the query of a call by the schema that reads it. */
export function ApiFilters(shape: z.ZodRawShape): MethodDecorator {
  return applyDecorators(...Object.keys(shape).map((name) => ApiQuery({ name, required: false, type: String })));
}

/** Documents the two parameters every collection has. */
export function ApiPage(shape: z.ZodRawShape = {}): MethodDecorator {
  return applyDecorators(
    ApiFilters(shape),
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 } }),
    ApiQuery({ name: 'cursor', required: false, type: String }),
  );
}

/** Documents that a call may be repeated safely with a key. */
export function ApiRequestKey(): MethodDecorator {
  return ApiHeader({ name: 'Idempotency-Key', required: false, description: '1 to 255 printable ASCII characters' });
}
