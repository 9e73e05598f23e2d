// The OpenAPI document on standard input, the types of the client on standard output.
import { readFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const types = await openapiTypescript(JSON.parse(readFileSync(0, 'utf8')), {
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  immutable: false,
});
process.stdout.write(
  `// Made by scripts/make-client.mjs from the OpenAPI document. Not to be changed by hand.\n${astToString(types)}`,
);
