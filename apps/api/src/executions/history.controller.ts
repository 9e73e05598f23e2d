import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ExecutionReadingStore, type AttemptRow, type ExecutionRow } from '@app/persistence';
import { cutPath, expandStored, type Plan } from '@app/domain';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { attempt, event, logLine } from '../docs/answers/history-answers.js';
import { ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { exactOrNull } from '../json/json-text.js';
import { Plans } from '../pipelines/plans.js';
import type { ApiRequest } from '../request/api-request.js';
import { knownId } from '../request/ids.js';
import { pageOf } from '../request/page.js';
import { eventNumber, pageQuery, parseQuery } from '../request/query.js';
import { ExecutionReader } from './execution-reader.js';
import { planOf } from './execution-view.js';
import { factViews, logLineView, longestSpan } from './fact-view.js';

const eventFilters = { after: eventNumber };
const logFilters = { after: eventNumber, attempt: eventNumber };

/** What has happened to an execution: events, attempts, log lines. */
@ApiTags('executions')
@Controller('v1/executions/:id')
export class HistoryController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  @Get('events')
  @ApiOperation({ summary: 'The event log, numbered without gaps' })
  @ApiPageOf(event)
  @ApiPage(eventFilters)
  async events(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const query = parseQuery(z.object({ ...pageQuery, ...eventFilters }), request.query);
    const { row, plan } = await this.known(text);
    const position = this.api.cursors.position(request, query.cursor);
    const after = position ? Number(position[0]) : (query.after ?? 0);
    const from = Math.max(0, after + 1 - longestSpan);
    const limit = query.limit + longestSpan;
    const rows = await this.executions.events(this.api.database.any, { id: row.id, from, limit });
    const facts = factViews(rows, plan, after);
    const items = facts.slice(0, query.limit);
    const more = facts.length > items.length || rows.length === limit;
    return { items, nextCursor: this.api.cursors.next(request, more && items.length > 0 ? [items.at(-1)!.seq] : null) };
  }

  @Get('attempts')
  @ApiOperation({ summary: 'Every attempt of every task, in the order they started' })
  @ApiPageOf(attempt)
  @ApiPage()
  async attempts(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const { row, plan } = await this.known(text);
    return pageOf(
      this.api.cursors,
      request,
      {},
      {
        load: ({ position, limit }) =>
          this.executions.attempts(this.api.database.any, { id: row.id, after: Number(position?.[0] ?? 0), limit }),
        positionOf: (attempt) => [attempt.seq],
        show: (attempt) => attemptView(attempt, plan),
      },
    );
  }

  @Get('logs')
  @ApiOperation({ summary: 'Log lines, in order' })
  @ApiPageOf(logLine)
  @ApiPage(logFilters)
  async logs(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const { row, plan } = await this.known(text);
    return pageOf(this.api.cursors, request, logFilters, {
      load: ({ position, limit, filters }) =>
        this.executions.logLines(this.api.database.any, {
          id: row.id,
          after: position ? Number(position[0]) : (filters.after ?? 0),
          attempt: filters.attempt ?? null,
          limit,
        }),
      positionOf: (line) => [line.n],
      show: (line) => logLineView(line, plan),
    });
  }

  private async known(text: string): Promise<{ row: ExecutionRow; plan: Plan }> {
    const row = await this.reader.row(knownId(text));
    return { row, plan: planOf(row, await this.plans.ofAll([row.versionId])) };
  }
}

interface AttemptEnd {
  readonly outcome?: string;
  readonly charged?: boolean;
}

function attemptView(row: AttemptRow, plan: Plan) {
  const nodeId = plan.nodes[row.node]?.id ?? String(row.node);
  const end = endOf(row);
  const read = end === null ? {} : (JSON.parse(end) as AttemptEnd);
  return {
    nodeId,
    node: nodeId,
    attempt: row.attempt,
    number: row.attempt,
    charged: row.endedAt === null ? null : (read.charged ?? true),
    executor: row.actor === null ? null : String(row.actor),
    startedAt: row.startedAt,
    finishedAt: row.endedAt,
    outcome: read.outcome ?? null,
    error: exactOrNull(end === null ? null : cutPath(end, ['error'])),
  };
}

/** What is known of the end of an attempt, as JSON text. */
function endOf(row: AttemptRow): string | null {
  if (row.endKind === null) return null;
  const facts = expandStored({ seq: 0, kind: row.endKind, data: row.endData });
  return facts.find((fact) => fact.type === 'attempt.ended')?.data ?? '{}';
}
