// Writes the types of the client, libs/sdk/src/client/openapi.generated.ts, from the OpenAPI document of the built api.
// `npm run build && node scripts/make-client.mjs`. A test of the architecture fails while it is stale.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const built = (path) => import(join(root, 'dist/apps/api/src', path));

const { ApiModule } = await built('api.module.js');
const { apiDocument } = await built('docs/api-document.js');
// In a preview controllers are looked at and none is made, so that the document needs no database.
const app = await NestFactory.create(ApiModule.forRoot({ database: {}, bus: {}, apiKey: 'none' }), {
  preview: true,
  logger: false,
});
const made = spawnSync(process.execPath, [join(root, 'scripts/client-types.mjs')], {
  input: JSON.stringify(apiDocument(app)),
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
if (made.status !== 0) {
  process.stderr.write(made.stderr);
  process.exit(1);
}
writeFileSync(join(root, 'libs/sdk/src/client/openapi.generated.ts'), made.stdout);
