import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';
import { answers } from './answers/answer-schema.js';

type OpenApiSchema =
  NonNullable<Parameters<typeof ApiBody>[0]> extends infer Options
    ? Options extends { schema: infer Schema }
      ? Schema
      : never
    : never;

/** A schema as the document shows it: by its name where it has one. */
function shown(schema: z.ZodType): OpenApiSchema {
  const id = answers.get(schema)?.id;
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  delete json.$schema;
  return json as OpenApiSchema;
}

/** Documents a JSON body by the schema that reads it. */
export function ApiJsonBody(schema: z.ZodType, required = true): MethodDecorator {
  return ApiBody({ required, schema: shown(schema) });
}

/** Documents what a call answers. @param statuses where it is not 200 */
export function ApiAnswer(schema: z.ZodType, ...statuses: number[]): MethodDecorator {
  const json = { schema: shown(schema), description: '' };
  return applyDecorators(...ok(statuses).map((status) => ApiResponse({ status, ...json })));
}

/** Documents a collection of what is answered. */
export function ApiPageOf(schema: z.ZodType): MethodDecorator {
  const page = {
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: { items: { type: 'array', items: shown(schema) }, nextCursor: { type: ['string', 'null'] } },
  };
  return ApiResponse({ status: 200, description: '', schema: page as unknown as OpenApiSchema });
}

/** Documents that a call is accepted, and carried out in its own time. */
export function ApiAccepted(): MethodDecorator {
  return ApiResponse({ status: 202, description: '', schema: { type: 'object', additionalProperties: true } });
}

/** Documents a body that is streamed, in one of these media types. */
export function ApiStreamed(...mediaTypes: string[]): MethodDecorator {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string' as const } }]));
  return ApiResponse({ status: 200, description: '', content });
}

const ok = (statuses: readonly number[]) => (statuses.length === 0 ? [200] : statuses);

/** Documents the query of a call by the schema that reads it. */
export function ApiFilters(shape: z.ZodRawShape): MethodDecorator {
  const filters = Object.entries(shape).map(([name, schema]) => {
    const required = !(schema as z.ZodType).safeParse(undefined).success;
    const json = shown(schema as z.ZodType) as Record<string, unknown>;
    delete json.default;
    return ApiQuery({ name, required, schema: json as OpenApiSchema });
  });
  return applyDecorators(...filters);
}

/** Documents the two parameters every collection has. */
export function ApiPage(shape: z.ZodRawShape = {}): MethodDecorator {
  return applyDecorators(
    ApiFilters(shape),
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 } }),
    ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } }),
  );
}

/** Documents that a call may be repeated safely with a key. */
export function ApiRequestKey(): MethodDecorator {
  return ApiHeader({ name: 'Idempotency-Key', required: false, description: '1 to 255 printable ASCII characters' });
}
