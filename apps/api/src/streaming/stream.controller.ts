import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ExecutionReadingStore } from '@app/persistence';
import type { Response } from 'express';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { ApiFilters, ApiStreamed } from '../docs/api-docs.js';
import { ExecutionReader } from '../executions/execution-reader.js';
import { planOf } from '../executions/execution-view.js';
import { longestSpan } from '../executions/fact-view.js';
import { Plans } from '../pipelines/plans.js';
import type { ApiRequest } from '../request/api-request.js';
import { knownId } from '../request/ids.js';
import { flag, parseQuery } from '../request/query.js';
import { ExecutionStream } from './execution-stream.js';
import { StreamHub } from './stream-hub.js';

const query = z.object({ logs: flag });

@ApiTags('executions')
@Controller('v1/executions')
export class StreamController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(StreamHub) private readonly hub: StreamHub,
  ) {}

  @Get(':id/stream')
  @ApiOperation({ summary: 'Follow an execution: snapshot, then state, node, progress, log and end frames' })
  @ApiStreamed('text/event-stream')
  @ApiFilters(query.shape)
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'resume after this event' })
  async follow(@Req() request: ApiRequest, @Res() response: Response, @Param('id') text: string): Promise<void> {
    const { logs } = parseQuery(query, request.query);
    const row = await this.reader.row(knownId(text));
    const plan = planOf(row, await this.plans.ofAll([row.versionId]));
    const resumed = await this.resumable(row, request.headers['last-event-id']);
    // Read before the first byte goes out, so that what goes wrong is still told as a problem.
    const view = resumed === null ? await this.reader.view(row.id) : null;
    begin(response);
    const stream = new ExecutionStream(response, row.id, plan, resumed ?? row.seq, logs);
    if (view !== null) stream.snapshot(view, row.seq);
    response.on('close', () => this.hub.leave(stream));
    if (!response.closed) this.hub.join(stream);
  }

  /** The event number to go on after; null where a resume is impossible. */
  private async resumable(
    row: { id: string; seq: number },
    header: string | string[] | undefined,
  ): Promise<number | null> {
    if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return null;
    const after = Number(header);
    if (after > row.seq) return null;
    if (after === row.seq) return after;
    const from = Math.max(0, after + 1 - longestSpan);
    const [next] = await this.executions.events(this.api.database.any, { id: row.id, from, limit: 1 });
    return next && next.seq <= after + 1 ? after : null;
  }
}

function begin(response: Response): void {
  response.status(200);
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  response.setHeader('cache-control', 'no-cache, no-transform');
  response.setHeader('x-accel-buffering', 'no');
  response.setHeader('connection', 'keep-alive');
  response.flushHeaders();
  response.write('retry: 1000\n\n');
}
