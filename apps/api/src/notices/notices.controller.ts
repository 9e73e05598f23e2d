import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { decodeString, type Plan } from '@app/domain';
import { NoticeStore, type NoticeRow } from '@app/persistence';
import { API, type Api } from '../api.js';
import { notice } from '../docs/answers/history-answers.js';
import { ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { ExecutionReader } from '../executions/execution-reader.js';
import { exactOrNull } from '../json/json-text.js';
import { Plans } from '../pipelines/plans.js';
import type { ApiRequest } from '../request/api-request.js';
import { knownId } from '../request/ids.js';
import { pageOf } from '../request/page.js';

/** What became of the notices of an execution's outcomes. */
@ApiTags('executions')
@Controller('v1/executions/:id/notices')
export class NoticesController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(NoticeStore) private readonly notices: NoticeStore,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Notices of its outcomes, in their order: to whom, and whether they were delivered' })
  @ApiPageOf(notice)
  @ApiPage()
  async list(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const row = await this.reader.row(knownId(text));
    const { plan } = await this.plans.of(row.versionId);
    return pageOf(
      this.api.cursors,
      request,
      {},
      {
        load: ({ position, limit }) =>
          this.notices.page(this.api.database.any, {
            executionId: row.id,
            after: position && { round: Number(position[0]), hook: Number(position[1]) },
            limit,
          }),
        positionOf: (notice) => [notice.round, notice.hook],
        show: (notice) => noticeView(row.id, notice, plan),
      },
    );
  }
}

/** The URL is shown as it was published: what a template or a secret makes of it is the executor's. */
function noticeView(executionId: string, notice: NoticeRow, plan: Plan) {
  const url = plan.notify[notice.hook]?.config.url.source;
  return {
    id: `${executionId}-${notice.round}`,
    on: notice.outcome,
    round: notice.round,
    url: url === undefined ? null : decodeString(url),
    state: notice.state.toUpperCase(),
    attempts: notice.attempt,
    at: notice.at,
    dueAt: notice.dueAt,
    finishedAt: notice.endedAt,
    error: exactOrNull(notice.error),
  };
}
