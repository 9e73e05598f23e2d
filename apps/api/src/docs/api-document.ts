import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { answers } from './answers/answer-schema.js';
import { problem } from './answers/operations-answers.js';

/** The OpenAPI document of the api: its calls, what they take and what they answer. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const description = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Fanfold')
    .setDescription('Durable fan-out: every item its own execution, every failure a list that can be tried again.')
    .setVersion('1')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, description);
  document.components = { ...document.components, schemas: answerSchemas() };
  for (const path of Object.values(document.paths)) for (const call of Object.values(path)) withProblem(call);
  return document;
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

function answerSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(answers, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  for (const schema of Object.values(schemas))
    for (const name of ['$schema', '$id']) Reflect.deleteProperty(schema, name);
  return schemas as Schemas;
}

/** Every call may be refused, always in the same form. */
function withProblem(call: unknown): void {
  const { responses } = call as { responses?: Record<string, unknown> };
  if (!responses) return;
  const schema = { $ref: `#/components/schemas/${answers.get(problem)!.id}` };
  responses.default = { description: '', content: { 'application/problem+json': { schema } } };
}
