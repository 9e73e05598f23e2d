import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperationsReadingStore } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { backlogPoint, executor } from '../docs/answers/operations-answers.js';
import { ApiFilters, ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { unreadable } from '../problem/problem.js';
import type { ApiRequest } from '../request/api-request.js';
import { pageOf } from '../request/page.js';
import { durationMillis, moment, oneOrMore, parseQuery } from '../request/query.js';

const executorFilters = { state: oneOrMore(['LIVE', 'DRAINING', 'LOST', 'ENDED']) };
const backlogQuery = z.object({ from: moment.optional(), step: durationMillis.default(10_000) });
const hour = 3_600_000;
const maxPoints = 10_000;

/** What operators watch. */
@ApiTags('operations')
@Controller('v1')
export class OperationsController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(OperationsReadingStore) private readonly operations: OperationsReadingStore,
  ) {}

  @Get('executors')
  @ApiOperation({ summary: 'Executor incarnations, newest first' })
  @ApiPageOf(executor)
  @ApiPage(executorFilters)
  executors(@Req() request: ApiRequest): Promise<unknown> {
    return pageOf(this.api.cursors, request, executorFilters, {
      load: ({ position, limit, filters }) =>
        this.operations.executors(this.api.database.any, {
          before: position ? Number(position[0]) : null,
          states: filters.state?.map((state) => state.toLowerCase()) ?? null,
          limit,
        }),
      positionOf: (row) => [row.id],
      show: (row) => ({ ...row, id: String(row.id), state: row.state.toUpperCase() }),
    });
  }

  @Get('backlog')
  @ApiOperation({ summary: 'The backlog curve: work that waits and work that runs, per queue' })
  @ApiPageOf(backlogPoint)
  @ApiFilters(backlogQuery.shape)
  async backlog(@Req() request: ApiRequest): Promise<unknown> {
    const { from, step } = parseQuery(backlogQuery, request.query);
    const stepSeconds = Math.round(step / 1_000);
    if (stepSeconds < 1)
      throw unreadable('REQUEST.QUERY', 'step: must be at least 1s', [
        { path: 'step', message: 'must be at least 1s' },
      ]);
    const points = await this.operations.backlog(this.api.database.any, {
      from: from ?? new Date(Date.now() - hour),
      stepSeconds,
      limit: maxPoints,
    });
    return { items: points.sort((a, b) => a.at.getTime() - b.at.getTime()), nextCursor: null };
  }
}
