import { Controller, Delete, Get, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { inTransaction, ScheduleStore, type ScheduleRow, type ScheduleTerms, type Tx } from '@app/persistence';
import { Occurrences } from '@app/starting';
import { API, type Api } from '../api.js';
import { schedule } from '../docs/answers/catalog-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf, ApiRequestKey } from '../docs/api-docs.js';
import { exactOrNull, exactText } from '../json/json-text.js';
import { StartTargets } from '../pipelines/start-targets.js';
import { conflict, notFound } from '../problem/problem.js';
import { accepted, created, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { pageByText } from '../request/page.js';
import { newSchedule, readChangedSchedule, readNewSchedule, scheduleChange } from './schedule-body.js';

/** Schedules: what starts executions of a pipeline by the clock. Orchestrators start them. */
@ApiTags('schedules')
@Controller('v1/schedules')
export class SchedulesController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ScheduleStore) private readonly schedules: ScheduleStore,
    @Inject(StartTargets) private readonly targets: StartTargets,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Start executions of a pipeline by the clock' })
  @ApiAnswer(schedule, 201)
  @ApiJsonBody(newSchedule)
  @ApiRequestKey()
  async create(@Req() request: ApiRequest): Promise<Answer> {
    const { name, terms } = readNewSchedule(request.bodyText);
    await this.targets.check(terms);
    return inTransaction(this.api.database.pool, async (tx) => {
      await this.targets.hold(tx, terms);
      const nextAt = await this.nextAt(tx, terms);
      if (!(await this.schedules.insert(tx, name, terms, nextAt)))
        throw conflict('SCHEDULE.EXISTS', `there is a schedule ${name}`);
      const answer = created(scheduleView((await this.schedules.find(tx, name))!), `/v1/schedules/${name}`);
      await request.claim?.complete(tx, answer);
      return answer;
    });
  }

  @Get()
  @ApiOperation({ summary: 'Schedules by name' })
  @ApiPageOf(schedule)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.schedules.page(this.api.database.any, args),
      (row) => row.name,
      scheduleView,
    );
  }

  @Get(':name')
  @ApiOperation({ summary: 'A schedule: when it starts next, and what it started last' })
  @ApiAnswer(schedule)
  async get(@Param('name') name: string): Promise<unknown> {
    const row = await this.schedules.find(this.api.database.any, name);
    if (!row) throw unknownSchedule(name);
    return scheduleView(row);
  }

  @Patch(':name')
  @ApiOperation({ summary: 'Change a schedule; times that passed while it was disabled are not made up for' })
  @ApiAnswer(schedule)
  @ApiJsonBody(scheduleChange)
  async change(@Req() request: ApiRequest, @Param('name') name: string): Promise<unknown> {
    const seen = await this.schedules.find(this.api.database.any, name);
    if (!seen) throw unknownSchedule(name);
    await this.targets.check(readChangedSchedule(request.bodyText, seen));
    return inTransaction(this.api.database.pool, async (tx) => {
      const before = await this.schedules.hold(tx, name);
      if (!before) throw unknownSchedule(name);
      const terms = readChangedSchedule(request.bodyText, before);
      await this.targets.hold(tx, terms);
      const isMoved =
        terms.cron !== before.cron || terms.timeZone !== before.timeZone || terms.enabled !== before.enabled;
      await this.schedules.update(tx, name, terms, isMoved ? await this.nextAt(tx, terms) : undefined);
      return scheduleView((await this.schedules.find(tx, name))!);
    });
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Remove a schedule; what it started goes on' })
  @ApiAccepted()
  async remove(@Param('name') name: string): Promise<Answer> {
    if (!(await this.schedules.remove(this.api.database.any, name))) throw unknownSchedule(name);
    return accepted();
  }

  private async nextAt(tx: Tx, { cron, timeZone, enabled }: ScheduleTerms): Promise<Date | null> {
    return enabled ? new Occurrences(cron, timeZone).after(await this.schedules.now(tx)) : null;
  }
}

function unknownSchedule(name: string) {
  return notFound(`the schedule ${name.slice(0, 128)}`, 'SCHEDULE.UNKNOWN');
}

function scheduleView(row: ScheduleRow) {
  return {
    name: row.name,
    pipeline: row.pipeline,
    version: row.version,
    cron: row.cron,
    timeZone: row.timeZone,
    input: exactText(row.input),
    labels: exactText(row.labels ?? '{}'),
    priority: row.priority,
    overlap: row.overlap,
    missed: row.missed,
    missedLimit: row.missedLimit,
    enabled: row.enabled,
    nextRunAt: row.nextAt,
    lastRunAt: row.lastAt,
    lastExecutionId: row.lastExecutionId,
    lastError: exactOrNull(row.lastError),
    waiting: row.waiting,
    skipped: row.skipped,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
