import { randomBytes } from 'node:crypto';
import { Controller, Delete, Get, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { topLevelId } from '@app/domain';
import { ApiKeyStore, inTransaction, roles } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { notFound } from '../problem/problem.js';
import { accepted, created, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';
import { apiKey, newApiKey } from '../docs/answers/operations-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { knownId } from '../request/ids.js';
import { labelText } from '../request/names.js';
import { pageByText } from '../request/page.js';
import { sha256 } from './authentication.middleware.js';
import { Needs } from './role.guard.js';

const newKey = z.object({ role: z.enum(roles), name: labelText.default('') });

@ApiTags('operations')
@Controller('v1/api-keys')
@Needs('admin')
export class ApiKeysController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ApiKeyStore) private readonly keys: ApiKeyStore,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Make a key; its secret is shown this once' })
  @ApiAnswer(newApiKey, 201)
  @ApiJsonBody(newKey)
  async create(@Req() request: ApiRequest): Promise<Answer> {
    const { role, name } = parseBody(newKey, request.bodyText);
    const secret = `ff_${randomBytes(24).toString('base64url')}`;
    const id = topLevelId(Date.now(), randomBytes(10));
    const secretHash = sha256(secret);
    const key = await inTransaction(this.api.database.pool, async (tx) => {
      const added = await this.keys.add(tx, { id, name, role, secretHash });
      // What is kept for a repetition must not hold the secret: it is shown once.
      await request.claim?.complete(tx, created({ ...added, secret: null }));
      return added;
    });
    return created({ ...key, secret });
  }

  @Get()
  @ApiOperation({ summary: 'List keys' })
  @ApiPageOf(apiKey)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.keys.page(this.api.database.any, args),
      (key) => key.id,
    );
  }

  @Delete(':id')
  @ApiOperation({ summary: 'End a key' })
  @ApiAccepted()
  async end(@Param('id') text: string): Promise<Answer> {
    const id = knownId(text, 'the key', 'ACCESS.KEY_UNKNOWN');
    if (!(await this.keys.end(this.api.database.any, { id }))) throw notFound(`the key ${id}`, 'ACCESS.KEY_UNKNOWN');
    return accepted();
  }
}
