import { Controller, Delete, Get, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { parsePipeline } from '@app/domain';
import { PipelineStore } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { pipeline, pipelineRow, published, version, versionRow } from '../docs/answers/catalog-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf, ApiRequestKey } from '../docs/api-docs.js';
import { exactText } from '../json/json-text.js';
import { accepted, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';
import { pageByText, pageOf } from '../request/page.js';
import { pipelineView, planView } from './pipeline-view.js';
import { PipelinesService, unknownPipeline } from './pipelines.service.js';

const change = z.object({ enabled: z.boolean() });

@ApiTags('pipelines')
@Controller('v1/pipelines')
export class PipelinesController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(PipelineStore) private readonly pipelines: PipelineStore,
    @Inject(PipelinesService) private readonly service: PipelinesService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Publish a definition; the same definition again gives the same version' })
  @ApiAnswer(published, 200, 201)
  @ApiBody({
    schema: {
      type: 'object',
      required: ['name', 'nodes'],
      properties: { name: { type: 'string' }, nodes: { type: 'array', items: {} } },
      additionalProperties: true,
    },
  })
  @ApiRequestKey()
  publish(@Req() request: ApiRequest): Promise<Answer> {
    return this.service.publish(request.bodyText, request.claim);
  }

  @Get()
  @ApiOperation({ summary: 'List pipelines by name' })
  @ApiPageOf(pipelineRow)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.pipelines.page(this.api.database.any, args),
      (row) => row.name,
      pipelineView,
    );
  }

  @Get(':name')
  @ApiOperation({ summary: 'The newest version of a pipeline' })
  @ApiAnswer(pipeline)
  async get(@Param('name') name: string): Promise<unknown> {
    const [row] = await this.pipelines.findLatest(this.api.database.any, { names: [name] });
    if (!row) throw unknownPipeline(name);
    return { ...pipelineView(row), ...definition(row.definition) };
  }

  @Get(':name/versions')
  @ApiOperation({ summary: 'Versions of a pipeline, newest first' })
  @ApiPageOf(versionRow)
  @ApiPage()
  async versions(@Req() request: ApiRequest, @Param('name') name: string): Promise<unknown> {
    const page = await pageOf(
      this.api.cursors,
      request,
      {},
      {
        load: ({ position, limit }) =>
          this.pipelines.versions(this.api.database.any, {
            name,
            before: position ? Number(position[0]) : null,
            limit,
          }),
        positionOf: (row) => [row.version],
        show: (row) => ({ name: row.name, version: row.version, createdAt: row.publishedAt }),
      },
    );
    if (page.items.length === 0 && request.query.cursor === undefined) throw unknownPipeline(name);
    return page;
  }

  @Get(':name/versions/:version')
  @ApiOperation({ summary: 'One version of a pipeline' })
  @ApiAnswer(version)
  async version(@Param('name') name: string, @Param('version') version: string): Promise<unknown> {
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
    const row = await this.pipelines.findVersion(this.api.database.any, { name, version: number });
    if (!row) throw unknownPipeline(`${name}@${version}`);
    return { name, version: row.version, createdAt: row.publishedAt, ...definition(row.definition) };
  }

  @Patch(':name')
  @ApiOperation({ summary: 'Allow or forbid new executions' })
  @ApiAnswer(pipeline)
  @ApiJsonBody(change)
  async change(@Req() request: ApiRequest, @Param('name') name: string): Promise<unknown> {
    const { enabled } = parseBody(change, request.bodyText);
    if (!(await this.pipelines.enable(this.api.database.any, { name, enabled }))) throw unknownPipeline(name);
    return this.get(name);
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Take a pipeline out of the catalogue; refused while executions of it are open' })
  @ApiAccepted()
  async remove(@Param('name') name: string): Promise<Answer> {
    await this.service.remove(name);
    return accepted();
  }
}

function definition(text: string) {
  const parsed = parsePipeline(text);
  return { definition: exactText(text), plan: parsed.ok ? planView(parsed.plan) : null };
}
