import { Controller, Delete, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { QuotaStore } from '@app/persistence';
import { z } from 'zod';
import { Needs } from '../access/role.guard.js';
import { API, type Api } from '../api.js';
import { quota } from '../docs/answers/operations-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { notFound, refused } from '../problem/problem.js';
import { accepted, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';
import { resourceName } from '../request/names.js';
import { pageByText } from '../request/page.js';
import { wholeNumber } from '../request/whole-number.js';

const most = wholeNumber(0).nullable().default(null);
const quotaBody = z.object({ maxOpenExecutions: most, maxChildrenPerFanOut: most });

@ApiTags('operations')
@Controller('v1/quotas')
export class QuotasController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(QuotaStore) private readonly quotas: QuotaStore,
  ) {}

  @Put(':scope')
  @Needs('admin')
  @ApiOperation({ summary: 'Bound how many executions may be open: of all, or of a pipeline' })
  @ApiAnswer(quota)
  @ApiJsonBody(quotaBody)
  async put(@Req() request: ApiRequest, @Param('scope') scope: string): Promise<unknown> {
    if (!resourceName.test(scope))
      throw refused([{ path: 'scope', message: 'must be "all" or the name of a pipeline' }]);
    const given = { scope, ...parseBody(quotaBody, request.bodyText) };
    await this.quotas.put(this.api.database.any, given);
    return given;
  }

  @Get()
  @ApiOperation({ summary: 'Quotas by scope' })
  @ApiPageOf(quota)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.quotas.page(this.api.database.any, args),
      (row) => row.scope,
    );
  }

  @Get(':scope')
  @ApiOperation({ summary: 'The quota of a scope' })
  @ApiAnswer(quota)
  async get(@Param('scope') scope: string): Promise<unknown> {
    const found = await this.quotas.find(this.api.database.any, { scope });
    if (!found) throw unknownQuota(scope);
    return found;
  }

  @Delete(':scope')
  @Needs('admin')
  @ApiOperation({ summary: 'Lift a quota' })
  @ApiAccepted()
  async remove(@Param('scope') scope: string): Promise<Answer> {
    if (!(await this.quotas.remove(this.api.database.any, { scope }))) throw unknownQuota(scope);
    return accepted();
  }
}

function unknownQuota(scope: string) {
  return notFound(`a quota of ${scope.slice(0, 128)}`, 'QUOTA.UNKNOWN');
}
