import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ExecutionReadingStore } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { execution, executionRow } from '../docs/answers/execution-answers.js';
import { ApiAccepted, ApiAnswer, ApiFilters, ApiPage, ApiPageOf, ApiRequestKey } from '../docs/api-docs.js';
import { unreadable } from '../problem/problem.js';
import { accepted, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { isUuid, knownId } from '../request/ids.js';
import { durationMillis, moment, pageQuery, parseQuery } from '../request/query.js';
import { CONTROL, type ControlPort } from './control-port.js';
import { orRefusal } from './control-refusal.js';
import { includeFilter, labelFilter, stateFilter, storedLabels, storedStates } from './execution-filters.js';
import { ExecutionLists, type ExecutionPage, type PageRequest } from './execution-lists.js';
import { ExecutionReader } from './execution-reader.js';
import { ExecutionStartService } from './execution-start.service.js';
import { isSettledView } from './execution-view.js';
import { SettlementWaits } from './settlement-waits.js';

const longestWaitMillis = 60_000;
const getQuery = z.object({ wait: durationMillis.optional() });
const listFilters = {
  pipeline: z.string().optional(),
  state: stateFilter,
  label: labelFilter,
  parent: z.string().optional(),
  root: z.string().optional(),
  since: moment.optional(),
  include: includeFilter,
};

@ApiTags('executions')
@Controller('v1')
export class ExecutionsController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionStartService) private readonly starts: ExecutionStartService,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(ExecutionLists) private readonly lists: ExecutionLists,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(SettlementWaits) private readonly waits: SettlementWaits,
    @Inject(CONTROL) private readonly control: ControlPort,
  ) {}

  @Post('pipelines/:name/executions')
  @ApiOperation({ summary: 'Start an execution' })
  @ApiAnswer(execution, 201)
  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        input: {},
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        priority: { type: 'integer', minimum: 0, maximum: 9, default: 5 },
        version: { type: 'integer' },
        key: { type: 'string', maxLength: 255 },
      },
    },
  })
  @ApiRequestKey()
  @HttpCode(201)
  start(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    return this.starts.start(name, request);
  }

  @Get('executions')
  @ApiOperation({ summary: 'List executions: top-level ones, newest first, or those of a parent or below a root' })
  @ApiPageOf(executionRow)
  @ApiPage(listFilters)
  async list(@Req() request: ApiRequest): Promise<unknown> {
    const query = parseQuery(z.object({ ...pageQuery, ...listFilters }), request.query);
    const position = this.api.cursors.position(request, query.cursor);
    const page: PageRequest = {
      limit: query.limit,
      after: position ? String(position[0]) : null,
      include: query.include ?? [],
    };
    const filters = {
      states: storedStates(query.state),
      since: query.since ?? null,
      labels: storedLabels(query.label),
      versionIds: query.pipeline === undefined ? null : await this.versionIds(query.pipeline),
    };
    const found = await this.listed(page, filters, query);
    return {
      items: found.items,
      nextCursor: this.api.cursors.next(request, found.after === null ? null : [found.after]),
    };
  }

  @Get('executions/:id')
  @ApiOperation({ summary: 'One execution; with wait, answers when it has settled or after that time' })
  @ApiAnswer(execution)
  @ApiFilters(getQuery.shape)
  async get(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const { wait } = parseQuery(getQuery, request.query);
    const id = knownId(text);
    if (wait !== undefined && wait > longestWaitMillis)
      throw unreadable('REQUEST.QUERY', 'wait: must be at most 60s', [
        { path: 'wait', message: 'must be at most 60s' },
      ]);
    return wait === undefined || wait === 0 ? this.reader.view(id) : this.settled(id, wait, request);
  }

  /** The execution when it has settled, or as it is when the time is over. */
  private async settled(id: string, waitMs: number, request: ApiRequest): Promise<Record<string, unknown>> {
    // Begun before it is read: what moves it in between rings.
    const wait = this.waits.begin(id, waitMs);
    request.res!.once('close', () => wait.end());
    try {
      if (!(await this.reader.isSettled(id))) await wait.moved();
      for (;;) {
        const view = await this.reader.view(id);
        if (isSettledView(view) || wait.isOver) return view;
        await wait.moved();
      }
    } finally {
      wait.end();
    }
  }

  @Delete('executions/:id')
  @ApiOperation({ summary: 'Remove a settled top-level execution with everything below it' })
  @ApiAccepted()
  async remove(@Param('id') text: string): Promise<Answer> {
    const id = knownId(text);
    orRefusal(await this.control.remove(id));
    return accepted({ id });
  }

  private async listed(
    page: PageRequest,
    filters: {
      states: ReturnType<typeof storedStates>;
      since: Date | null;
      labels: string | null;
      versionIds: number[] | null;
    },
    query: { parent?: string; root?: string },
  ): Promise<ExecutionPage> {
    for (const name of ['parent', 'root'] as const)
      if (query[name] !== undefined && !isUuid(query[name]))
        throw unreadable('REQUEST.QUERY', `${name}: must be an id`, [{ path: name, message: 'must be an id' }]);
    if (query.parent !== undefined) {
      const row = await this.executions.find(this.api.database.any, { id: query.parent.toLowerCase() });
      const fanOuts = row ? await this.reader.fanOutsOf(row, undefined) : [];
      return this.lists.children(page, fanOuts, filters);
    }
    if (query.root !== undefined) return this.lists.descendants(page, query.root.toLowerCase(), filters);
    return this.lists.topLevel(page, filters);
  }

  private versionIds(pipeline: string): Promise<number[]> {
    return this.executions.versionIds(this.api.database.any, { pipeline });
  }
}
