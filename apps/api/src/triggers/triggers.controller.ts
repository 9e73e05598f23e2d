import { Controller, Delete, Get, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { inTransaction, TriggerStore, type RefusedMessageRow, type TriggerRow } from '@app/persistence';
import { API, type Api } from '../api.js';
import { refusedMessage, trigger } from '../docs/answers/catalog-answers.js';
import { ApiAccepted, ApiAnswer, ApiJsonBody, ApiPage, ApiPageOf } from '../docs/api-docs.js';
import { exactOrNull, exactText } from '../json/json-text.js';
import { StartTargets } from '../pipelines/start-targets.js';
import { notFound, refused } from '../problem/problem.js';
import { accepted, Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { resourceName } from '../request/names.js';
import { pageByText, pageOf } from '../request/page.js';
import { readTrigger, triggerBody } from './trigger-body.js';

/** Injection token: whether the bus has queues that others publish to. */
export const TAKES_MESSAGES = Symbol('TAKES_MESSAGES');

/** Triggers: queues whose messages start executions. Orchestrators consume them. */
@ApiTags('triggers')
@Controller('v1/triggers')
export class TriggersController {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(TriggerStore) private readonly triggers: TriggerStore,
    @Inject(StartTargets) private readonly targets: StartTargets,
    @Inject(TAKES_MESSAGES) private readonly takesMessages: boolean,
  ) {}

  @Put(':name')
  @ApiOperation({ summary: 'Start an execution of a pipeline with each message of a RabbitMQ queue' })
  @ApiAnswer(trigger, 200, 201)
  @ApiJsonBody(triggerBody)
  async put(@Req() request: ApiRequest, @Param('name') name: string): Promise<Answer> {
    if (!resourceName.test(name)) throw refused([{ path: 'name', message: `must match ${resourceName.source}` }]);
    if (!this.takesMessages)
      throw refused([], 'TRIGGER.NEEDS_RABBITMQ', 'a trigger needs RabbitMQ (RABBITMQ_URL); this engine uses Postgres');
    const terms = readTrigger(request.bodyText, this.api.database.settings.schema);
    await this.targets.check({ pipeline: terms.pipeline, version: terms.version });
    const created = await inTransaction(this.api.database.pool, async (tx) => {
      await this.targets.hold(tx, terms);
      return this.triggers.put(tx, name, terms);
    });
    return new Answer(created ? 201 : 200, await this.get(name));
  }

  @Get()
  @ApiOperation({ summary: 'Triggers by name' })
  @ApiPageOf(trigger)
  @ApiPage()
  list(@Req() request: ApiRequest): Promise<unknown> {
    return pageByText(
      this.api.cursors,
      request,
      (args) => this.triggers.page(this.api.database.any, args),
      (row) => row.name,
      triggerView,
    );
  }

  @Get(':name')
  @ApiOperation({ summary: 'A trigger, and what became of its messages' })
  @ApiAnswer(trigger)
  async get(@Param('name') name: string): Promise<unknown> {
    return triggerView(await this.known(name));
  }

  @Get(':name/refused')
  @ApiOperation({ summary: 'Messages that never become executions, with the reason, newest first' })
  @ApiPageOf(refusedMessage)
  @ApiPage()
  async refused(@Req() request: ApiRequest, @Param('name') name: string): Promise<unknown> {
    const { id } = await this.known(name);
    return pageOf(
      this.api.cursors,
      request,
      {},
      {
        load: ({ position, limit }) =>
          this.triggers.refused(this.api.database.any, { id, before: position ? Number(position[0]) : null, limit }),
        positionOf: (row) => [row.id],
        show: refusedView,
      },
    );
  }

  @Delete(':name')
  @ApiOperation({ summary: 'Stop consuming; the queue stays, and what was started goes on' })
  @ApiAccepted()
  async remove(@Param('name') name: string): Promise<Answer> {
    if (!(await this.triggers.remove(this.api.database.any, name))) throw unknownTrigger(name);
    return accepted();
  }

  private async known(name: string): Promise<TriggerRow> {
    const row = await this.triggers.find(this.api.database.any, name);
    if (!row) throw unknownTrigger(name);
    return row;
  }
}

function unknownTrigger(name: string) {
  return notFound(`the trigger ${name.slice(0, 128)}`, 'TRIGGER.UNKNOWN');
}

function triggerView(row: TriggerRow) {
  return {
    name: row.name,
    pipeline: row.pipeline,
    version: row.version,
    queue: row.queue,
    exchange: row.exchange,
    routingKey: row.routingKey,
    labels: exactText(row.labels ?? '{}'),
    priority: row.priority,
    enabled: row.enabled,
    received: row.received,
    started: row.started,
    duplicates: row.duplicates,
    refused: row.refused,
    lastError: exactOrNull(row.lastError),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** The beginning of the body; base64 where it is no text. */
function refusedView(row: RefusedMessageRow) {
  const text = textOf(row.body);
  return {
    id: String(row.id),
    messageId: row.messageId,
    reason: exactText(row.reason),
    bytes: row.bytes,
    encoding: text === null ? 'base64' : 'utf8',
    body: text ?? row.body.toString('base64'),
    at: row.at,
  };
}

function textOf(body: Buffer): string | null {
  try {
    // A cut may fall inside a character: what is whole is shown.
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
  } catch {
    return null;
  }
}
