import { Controller, Delete, Get, Inject, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PressureStore } from '@app/persistence';
import { z } from 'zod';
import { Needs } from '../access/role.guard.js';
import { API, type Api } from '../api.js';
import { pressure } from '../docs/answers/operations-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPageOf } from '../docs/api-docs.js';
import { notFound } from '../problem/problem.js';
import { accepted, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { parseBody } from '../request/body.js';

const hold = z.object({ reason: z.string().min(1, 'must say why').max(1_000, 'must be at most 1000 characters') });

/** What keeps fan-outs from beginning. */
@ApiTags('operations')
@Controller('v1/pressure')
export class PressureController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(PressureStore) private readonly pressures: PressureStore,
  ) {}

  @Get()
  @ApiOperation({ summary: 'What is against the beginning of more fan-outs now: budgets, lag, an alarm, an operator' })
  @ApiPageOf(pressure)
  async list(): Promise<unknown> {
    return { items: await this.pressures.inForce(this.api.database.any), nextCursor: null };
  }

  @Put()
  @Needs('operator')
  @ApiOperation({ summary: 'Hold back fan-outs that have not begun, until this is lifted' })
  @ApiAnswer(pressure)
  @ApiJsonBody(hold)
  put(@Req() request: ApiRequest): Promise<unknown> {
    return this.pressures.put(this.api.database.any, parseBody(hold, request.bodyText).reason);
  }

  @Delete()
  @Needs('operator')
  @ApiOperation({ summary: 'Let them begin' })
  @ApiAccepted()
  async lift(): Promise<Answer> {
    if (!(await this.pressures.lift(this.api.database.any)))
      throw notFound('a hold of an operator', 'PRESSURE.UNKNOWN');
    return accepted();
  }
}
