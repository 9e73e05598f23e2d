import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { childIdRange, cutPath } from '@app/domain';
import { ExecutionReadingStore, FanOutReadingStore } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { executionRow, failureGroup, lineage, why } from '../docs/answers/execution-answers.js';
import { ApiAnswer, ApiFilters, ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { exactOrNull } from '../json/json-text.js';
import { Plans } from '../pipelines/plans.js';
import type { ApiRequest } from '../request/api-request.js';
import { knownId } from '../request/ids.js';
import { pageQuery, parseQuery } from '../request/query.js';
import { includeFilter, stateFilter, storedStates } from './execution-filters.js';
import { ExecutionLists } from './execution-lists.js';
import { ExecutionReader } from './execution-reader.js';
import { executionRowView, versionsOf } from './execution-view.js';
import { WhyService } from './why.service.js';
import { childCounts } from './fan-out-counts.js';

const childFilters = {
  node: z.string().optional(),
  state: stateFilter,
  fingerprint: z.string().optional(),
  q: z.string().max(1_000).optional(),
  include: includeFilter,
};
const failureQuery = { node: z.string().optional() };

/** What lies below an execution, and above it. */
@ApiTags('executions')
@Controller('v1/executions/:id')
export class ChildrenController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(ExecutionLists) private readonly lists: ExecutionLists,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(FanOutReadingStore) private readonly fanOuts: FanOutReadingStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(WhyService) private readonly why: WhyService,
  ) {}

  @Get('children')
  @ApiOperation({ summary: 'Children in item order' })
  @ApiPageOf(executionRow)
  @ApiPage(childFilters)
  async children(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const query = parseQuery(z.object({ ...pageQuery, ...childFilters }), request.query);
    const row = await this.reader.row(knownId(text));
    const position = this.api.cursors.position(request, query.cursor);
    const page = { limit: query.limit, after: position ? String(position[0]) : null, include: query.include ?? [] };
    const found = await this.lists.children(page, await this.reader.fanOutsOf(row, query.node), {
      states: storedStates(query.state),
      fingerprint: query.fingerprint ?? null,
      text: query.q ?? null,
    });
    return {
      items: found.items,
      nextCursor: this.api.cursors.next(request, found.after === null ? null : [found.after]),
    };
  }

  @Get('lineage')
  @ApiOperation({ summary: 'Ancestors from the root down, and counts of everything below' })
  @ApiAnswer(lineage)
  async lineage(@Param('id') text: string): Promise<unknown> {
    const row = await this.reader.row(knownId(text));
    const ids = await this.executions.ancestorIds(this.api.database.any, { id: row.id });
    const rows = await this.executions.list(this.api.database.any, { ids });
    const plans = await this.plans.ofAll(versionsOf([...rows, row]));
    const views = new Map([...rows, row].map((r) => [r.id, executionRowView(r, plans)]));
    const way = [...ids, row.id];
    // `nodeId` and `itemIndex` say which spawner and which item led from the ancestor to the next one on the way down.
    const ancestors = ids.map((id, i) => {
      const { pipeline, state } = views.get(id)!;
      const next = views.get(way[i + 1]!)!;
      return { id, pipeline, state, nodeId: next.spawnedBy, itemIndex: next.itemIndex };
    });
    const { pending, ready, running, paused, succeeded, failed, cancelled } = childCounts(await this.reader.below(row));
    const descendants = {
      PENDING: pending,
      READY: ready,
      RUNNING: running,
      PAUSED: paused,
      SUCCEEDED: succeeded,
      FAILED: failed,
      CANCELLED: cancelled,
    };
    return { ancestors, descendants };
  }

  @Get('why')
  @ApiOperation({ summary: 'Why it is not progressing' })
  @ApiAnswer(why)
  async reason(@Param('id') text: string): Promise<unknown> {
    return this.why.of(await this.reader.row(knownId(text)));
  }

  @Get('failures')
  @ApiOperation({ summary: 'Failed children, grouped by cause' })
  @ApiPageOf(failureGroup)
  @ApiFilters(failureQuery)
  async failures(@Req() request: ApiRequest, @Param('id') text: string): Promise<unknown> {
    const { node } = parseQuery(z.object({ ...pageQuery, ...failureQuery }), request.query);
    const row = await this.reader.row(knownId(text));
    const failed = (await this.reader.fanOutsOf(row, node)).filter((fanOut) => fanOut.failed > 0);
    const groups = new Map<string, { error: string | null; sampleId: string; count: number }>();
    for (const fanOut of failed) {
      const [first, last] = childIdRange(fanOut.rootId, fanOut.id);
      for (const group of await this.fanOuts.failureGroups(this.api.database.any, { first, last })) {
        const known = groups.get(group.fingerprint);
        if (known) known.count += group.count;
        else groups.set(group.fingerprint, { ...group });
      }
    }
    const items = [...groups].map(([fingerprint, group]) => failureView(fingerprint, group));
    return { items: items.sort((a, b) => b.count - a.count), nextCursor: null };
  }
}

function failureView(fingerprint: string, group: { error: string | null; sampleId: string; count: number }) {
  const part = (name: string) => exactOrNull(group.error === null ? null : cutPath(group.error, [name]));
  return {
    fingerprint,
    class: part('class'),
    code: part('code'),
    status: part('status'),
    message: part('message'),
    sample: { id: group.sampleId, error: exactOrNull(group.error) },
    count: group.count,
  };
}
