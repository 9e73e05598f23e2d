import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ApiModule, type ApiOptions } from '../../apps/api/src/api.module.js';
import { apiDocument } from '../../apps/api/src/docs/api-document.js';

const root = resolve(__dirname, '../..');

/** Controllers are looked at and none is made, so that the document needs no database. */
const described = async () => {
  const options = { database: {}, bus: {}, apiKey: 'none' } as unknown as ApiOptions;
  const app = await NestFactory.create(ApiModule.forRoot(options), { preview: true, logger: false });
  return apiDocument(app);
};

describe('the client', () => {
  it('has the types of the document; `npm run make:client` writes them', async () => {
    const made = spawnSync(process.execPath, [join(root, 'scripts/client-types.mjs')], {
      input: JSON.stringify(await described()),
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    expect(made.stderr).toBe('');
    const kept = readFileSync(join(root, 'libs/sdk/src/client/openapi.generated.ts'), 'utf8');
    expect(kept === made.stdout).toBe(true);
  });

  it('knows what every call answers', async () => {
    const { paths } = await described();
    const silent = Object.entries(paths).flatMap(([path, calls]) =>
      Object.entries(calls as Record<string, { responses: Record<string, { content?: object }> }>)
        .filter(
          ([, { responses }]) =>
            !Object.entries(responses).some(([status, { content }]) => status.startsWith('2') && content),
        )
        .map(([method]) => `${method} ${path}`),
    );
    expect(silent).toEqual([]);
  });
});
