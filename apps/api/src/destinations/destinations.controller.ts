import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ABORT_TOPIC, ADMISSION_TOPIC, CONTROL_TOPIC, type AbortSignalMessage } from '@app/contracts';
import { rateRoom, rateWaitMs, readRate, readRateState } from '@app/domain';
import { DestinationStore, type DestinationRow } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { destination } from '../docs/answers/catalog-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf, ApiRequestKey } from '../docs/api-docs.js';
import { HintBus } from '../hints/hint-bus.js';
import { exactOrNull } from '../json/json-text.js';
import { notFound, refused } from '../problem/problem.js';
import { accepted, Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';
import { resourceName } from '../request/names.js';
import { pageByText } from '../request/page.js';
import { wholeNumber } from '../request/whole-number.js';

const count = wholeNumber(1, 1_000_000);
/** Of a rate: calls, or what they cost. */
const units = wholeNumber(1, 1_000_000_000_000);
const host = z
  .string()
  .max(255)
  .regex(
    /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)(:\d{1,5})?$/,
    'must be a host, with or without a port',
  );
/** Of the destination of a host that nobody has registered. */
const implicitName = /^host:[^\s/]{1,255}$/;
const limits = z.object({
  match: z.strictObject({ host: host.optional() }).optional(),
  maxConcurrency: count.nullable().optional(),
  rate: z
    .strictObject({
      limit: units,
      per: z.enum(['1s', '1m', '1h'], 'must be "1s", "1m" or "1h"'),
      burst: units.optional(),
    })
    .nullable()
    .optional(),
  adaptive: z.boolean().default(false),
});

@ApiTags('destinations')
@Controller('v1/destinations')
export class DestinationsController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(DestinationStore) private readonly destinations: DestinationStore,
    @Inject(HintBus) private readonly hints: HintBus,
  ) {}

  @Put(':name')
  @ApiOperation({ summary: 'Say what a destination allows; in force at once on every executor' })
  @ApiAnswer(destination, 200, 201)
  @ApiJsonBody(limits)
  async put(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    if (!resourceName.test(name)) throw refused([{ path: 'name', message: `must match ${resourceName.source}` }]);
    const given = parseBody(limits, request.bodyText);
    const created = await this.destinations.put(this.api.database.any, {
      name,
      host: given.match?.host?.toLowerCase() ?? null,
      maxConcurrency: given.maxConcurrency ?? null,
      rate: given.rate ? JSON.stringify(given.rate) : null,
      adaptive: given.adaptive,
    });
    this.hints.ring(ADMISSION_TOPIC);
    return new Answer(created ? 201 : 200, await this.get(name));
  }

  @Get()
  @ApiOperation({ summary: 'Destinations by name, with what they hold right now' })
  @ApiPageOf(destination)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.destinations.page(this.api.database.any, args),
      (row) => row.name,
      destinationView,
    );
  }

  @Get(':name')
  @ApiOperation({ summary: 'One destination' })
  @ApiAnswer(destination)
  async get(@Param('name') name: string): Promise<unknown> {
    const row = await this.destinations.find(this.api.database.any, { name });
    if (!row) throw unknownDestination(name);
    return destinationView(row);
  }

  @Post(':name/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Start no call there any more; what runs ends' })
  @ApiAnswer(destination)
  @ApiRequestKey()
  async pause(@Param('name') name: string): Promise<unknown> {
    const make = implicitName.test(name);
    if (!(await this.destinations.pause(this.api.database.any, { name, make }))) throw unknownDestination(name);
    const row = await this.destinations.find(this.api.database.any, { name });
    if (!row) throw unknownDestination(name);
    const paused: AbortSignalMessage = {
      pausedDestinations: row.host === null ? [name] : [name, `host:${row.host}`],
    };
    this.hints.ring(ABORT_TOPIC, paused);
    return destinationView(row);
  }

  @Post(':name/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Call it again' })
  @ApiAnswer(destination)
  @ApiRequestKey()
  async resume(@Param('name') name: string): Promise<unknown> {
    if (!(await this.destinations.resume(this.api.database.any, { name }))) throw unknownDestination(name);
    this.hints.ring(ADMISSION_TOPIC);
    return this.get(name);
  }

  @Post(':name/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel what now waits for it or calls it' })
  @ApiAnswer(destination)
  @ApiRequestKey()
  async cancel(@Param('name') name: string): Promise<unknown> {
    if (!(await this.destinations.cancelWaiting(this.api.database.any, { name }))) throw unknownDestination(name);
    this.hints.ring(CONTROL_TOPIC);
    return this.get(name);
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Lift the limits of a destination' })
  @ApiAccepted()
  async remove(@Param('name') name: string): Promise<Answer> {
    if (!(await this.destinations.remove(this.api.database.any, { name }))) throw unknownDestination(name);
    this.hints.ring(ADMISSION_TOPIC);
    return accepted();
  }
}

function unknownDestination(name: string) {
  return notFound(`the destination ${name.slice(0, 128)}`, 'DESTINATION.UNKNOWN');
}

/** Units that may start now, and when the next call of the usual cost may. */
function rateStateOf(row: DestinationRow) {
  const rate = readRate(row.rate);
  if (rate === null) return null;
  const state = readRateState(row.rateState);
  const waitMs = rateWaitMs(rate, state, row.now, state.meanCost ?? 1);
  return {
    available: Math.max(0, Math.floor(rateRoom(rate, state, row.now))),
    nextAt: waitMs === 0 ? null : new Date(row.now + waitMs),
  };
}

function destinationView(row: DestinationRow) {
  return {
    name: row.name,
    match: row.host === null ? null : { host: row.host },
    maxConcurrency: row.maxConcurrency,
    rate: exactOrNull(row.rate),
    adaptive: row.adaptive,
    implicit: row.implicit,
    inUse: row.inUse,
    waiting: row.waiting,
    limit: row.limit,
    rateState: rateStateOf(row),
    adaptiveLimit: row.adaptiveLimit,
    throttledUntil: row.throttledUntil,
    pausedAt: row.pausedAt,
    breaker: row.breakerOpens === 0 ? 'CLOSED' : row.breakerUntil === null ? 'HALF_OPEN' : 'OPEN',
    breakerUntil: row.breakerUntil,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
