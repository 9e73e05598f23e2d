import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditStore } from '@app/persistence';
import { API, type Api } from '../api.js';
import { auditEntry } from '../docs/answers/operations-answers.js';
import { ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { exactOrNull } from '../json/json-text.js';
import type { ApiRequest } from '../request/api-request.js';
import { pageOf } from '../request/page.js';
import { Needs } from './role.guard.js';

@ApiTags('operations')
@Controller('v1/audit')
@Needs('admin')
export class AuditController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(AuditStore) private readonly audit: AuditStore,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Who changed what, newest first' })
  @ApiPageOf(auditEntry)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageOf(
      this.api.cursors,
      request,
      {},
      {
        load: ({ position, limit }) =>
          this.audit.page(this.api.database.any, { before: position ? Number(position[0]) : null, limit }),
        positionOf: (entry) => [entry.id],
        show: (entry) => ({ ...entry, id: String(entry.id), data: exactOrNull(entry.data) }),
      },
    );
  }
}
