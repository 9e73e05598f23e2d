import { Controller, Delete, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { sliceElements } from '@app/domain';
import { DatasetStore } from '@app/persistence';
import type { Response } from 'express';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { payload } from '../docs/answers/answer-schema.js';
import { dataset } from '../docs/answers/catalog-answers.js';
import { ApiAccepted, ApiAnswer, ApiFilters, ApiPage, ApiPageOf, ApiRequestKey } from '../docs/api-docs.js';
import { replay } from '../idempotency/idempotency.interceptor.js';
import { exactText } from '../json/json-text.js';
import { accepted, Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { discardRest } from '../request/body.middleware.js';
import { refused } from '../problem/problem.js';
import { knownId } from '../request/ids.js';
import { labelDefect } from '../request/names.js';
import { pageOf } from '../request/page.js';
import { pageQuery, parseQuery } from '../request/query.js';
import { whileReceiving } from '../request/receiving.js';
import { datasetView } from './dataset-view.js';
import { DatasetsService, unknownDataset } from './datasets.service.js';

const separator = z
  .string()
  .transform((text) => (text === 'tab' || text === '\\t' ? '\t' : text))
  .refine((text) => text.length === 1 && !'"\r\n'.includes(text), 'must be one character, or "tab"');
const upload = z.object({
  name: z.string('must be given').min(1, 'must not be empty'),
  format: z.enum(['csv', 'ndjson', 'json'], 'must be csv, ndjson or json').optional(),
  separator: separator.default(','),
});
const listed = { name: z.string().optional() };
const maxPageBytes = 4 * 1024 * 1024;
const chunksPerPage = 20;

@ApiTags('datasets')
@Controller('v1/datasets')
export class DatasetsController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(DatasetStore) private readonly datasets: DatasetStore,
    @Inject(DatasetsService) private readonly service: DatasetsService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Upload a list of any size, streamed, optionally packed with gzip' })
  @ApiAnswer(dataset, 201)
  @ApiConsumes('text/csv', 'application/x-ndjson', 'application/json')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiFilters(upload.shape)
  @ApiRequestKey()
  async upload(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response): Promise<unknown> {
    try {
      const { name } = request.query;
      const defect = typeof name === 'string' ? labelDefect(name) : null;
      if (defect) throw refused([{ path: 'name', message: defect }]);
      const query = parseQuery(upload, request.query);
      const format = query.format ?? formatOf(request.headers['content-type']);
      const answer = await whileReceiving(request, () => this.service.upload(request, { ...query, format }));
      if (answer instanceof Answer) return answer;
      return new Answer(answer.status, exactText(replay(response, answer.status, answer.text)));
    } catch (error) {
      discardRest(request, response);
      throw error;
    }
  }

  @Get()
  @ApiOperation({ summary: 'List datasets, newest first' })
  @ApiPageOf(dataset)
  @ApiPage(listed)
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageOf(this.api.cursors, request, listed, {
      load: ({ position, limit, filters }) =>
        this.datasets.page(this.api.database.any, {
          before: position ? String(position[0]) : null,
          name: filters.name ?? null,
          limit,
        }),
      positionOf: (row) => [row.id],
      show: datasetView,
    });
  }

  @Get(':id')
  @ApiOperation({ summary: 'One dataset' })
  @ApiAnswer(dataset)
  async get(@Param('id') text: string): Promise<unknown> {
    return datasetView(await this.row(text));
  }

  @Get(':id/items')
  @ApiOperation({ summary: 'Items of a dataset, in order; a page ends early at 4 MiB' })
  @ApiPageOf(payload)
  @ApiPage()
  async items(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const query = parseQuery(z.object(pageQuery), request.query);
    const row = await this.row(text);
    const fromIndex = Number(this.api.cursors.position(request, query.cursor)?.[0] ?? 0);
    const chunks = await this.datasets.chunks(this.api.database.any, { id: row.id, fromIndex, limit: chunksPerPage });
    const items: string[] = [];
    let length = 0;
    for (const chunk of chunks) {
      let index = chunk.firstIndex;
      for (const item of sliceElements(chunk.body)) {
        if (index++ < fromIndex) continue;
        if (items.length === query.limit || (items.length > 0 && length + item.length > maxPageBytes)) break;
        items.push(item);
        length += item.length;
      }
    }
    const next = fromIndex + items.length;
    const nextCursor = this.api.cursors.next(request, next < row.itemCount ? [next] : null);
    return { items: items.map(exactText), nextCursor };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove a dataset; refused while an execution refers to it' })
  @ApiAccepted()
  async remove(@Param('id') text: string): Promise<Answer> {
    await this.service.remove(knownId(text, 'the dataset', 'DATASET.UNKNOWN'));
    return accepted();
  }

  private async row(text: string) {
    const id = knownId(text, 'the dataset', 'DATASET.UNKNOWN');
    const row = await this.datasets.find(this.api.database.any, { id });
    if (!row) throw unknownDataset(id);
    return row;
  }
}

function formatOf(contentType: string | undefined): 'csv' | 'ndjson' | 'json' {
  if (contentType?.includes('ndjson') || contentType?.includes('jsonl')) return 'ndjson';
  return contentType?.includes('application/json') ? 'json' : 'csv';
}
