import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ExecutionReadingStore, type ExecutionRow, type FanOutRow } from '@app/persistence';
import type { Response } from 'express';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { ApiFilters, ApiStreamed } from '../docs/api-docs.js';
import { Plans } from '../pipelines/plans.js';
import { unreadable } from '../problem/problem.js';
import type { ApiRequest } from '../request/api-request.js';
import { knownId } from '../request/ids.js';
import { parseQuery } from '../request/query.js';
import { sendStream } from '../request/send-stream.js';
import { ExecutionReader } from './execution-reader.js';
import { planOf } from './execution-view.js';
import { FailedItems } from './failed-items.js';
import { FanOutResults } from './fan-out-results.js';

const query = z.object({ node: z.string().optional() });

/** What a fan-out has given, streamed. */
@ApiTags('executions')
@Controller('v1/executions/:id')
export class ResultsController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(FanOutResults) private readonly fanOutResults: FanOutResults,
    @Inject(FailedItems) private readonly failedItems: FailedItems,
  ) {}

  @Get('results')
  @ApiOperation({ summary: 'Results in item order, one line of JSON each' })
  @ApiStreamed('application/x-ndjson')
  @ApiFilters(query.shape)
  async results(@Req() request: ApiRequest, @Res() response: Response, @Param('id') text: string): Promise<void> {
    const { node } = parseQuery(query, request.query);
    const fanOut = await this.fanOutOf(await this.reader.row(knownId(text)), node);
    const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    await sendStream(response, headers, fanOut ? this.fanOutResults.lines(fanOut) : nothing());
  }

  @Get('failed-items')
  @ApiOperation({ summary: 'The failed items, in the format of their dataset, fit to be uploaded again' })
  @ApiStreamed('text/csv', 'application/x-ndjson', 'application/json')
  @ApiFilters(query.shape)
  async failed(@Req() request: ApiRequest, @Res() response: Response, @Param('id') text: string): Promise<void> {
    const { node } = parseQuery(query, request.query);
    const row = await this.reader.row(knownId(text));
    const fanOut = await this.fanOutOf(row, node);
    const { format, parts } = await this.failedItems.of(fanOut);
    const type = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' }[format];
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="failed-items-${row.id}.${format}"`,
      'x-content-type-options': 'nosniff',
    };
    await sendStream(response, headers, parts);
  }

  /** The fan-out of the node, or the only one; null where it has not been planned yet. */
  private async fanOutOf(row: ExecutionRow, node: string | undefined): Promise<FanOutRow | null> {
    const found = await this.reader.fanOutsOf(row, node);
    if (node !== undefined) return found[0] ?? null;
    const plan = planOf(row, await this.plans.ofAll([row.versionId]));
    const spawners = plan.nodes.filter((n) => n.type === 'SPAWNER').map((n) => n.index);
    if (spawners.length > 1)
      throw unreadable('REQUEST.QUERY', 'node: must name one of the spawners', [
        { path: 'node', message: 'must name one of the spawners' },
      ]);
    return (spawners.length === 1 ? found.find((fanOut) => fanOut.node === spawners[0]) : found[0]) ?? null;
  }
}

async function* nothing(): AsyncGenerator<string> {}
