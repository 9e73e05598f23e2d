import { parsePipeline, type Outcome } from '@app/domain';
import { migrate, openDatabase, type Database } from '@app/persistence';
import { silentLogger } from '@app/runtime';
import { randomUUID } from 'node:crypto';
import { HandlerRegistry } from '../../../apps/executor/src/nodes/handler-registry.js';
import { createPerformers, type PerformerParts } from '../../../apps/executor/src/nodes/performers.js';
import type { ClaimedTask } from '../../../apps/executor/src/running/claimed-task.js';
import type { LogLevel, Performer } from '../../../apps/executor/src/running/performer.js';
import { freshDatabase } from '../../support/postgres.js';

export const loopback = ['127.0.0.0/8', '::1/128'];

export interface TaskGiven {
  /** Exact JSON text of the item, which is the input too. */
  readonly item?: string;
  readonly attempt?: number;
  /** At the top of a run, where outputs may be larger; else in a child. */
  readonly isTopLevel?: boolean;
  readonly executionId?: string;
  readonly fencingToken?: number;
  readonly signal?: AbortSignal;
}

export interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The performers of an executor on a database of their own, without the engine around them. */
export class Performing {
  readonly lines: Line[] = [];
  readonly handlers = new HandlerRegistry();
  private performers: readonly Performer[] = [];

  private constructor(
    readonly database: Database,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(config: Partial<PerformerParts['config']> = {}): Promise<Performing> {
    const { url, drop } = await freshDatabase();
    const settings = { url, schema: 'fanfold', poolMax: 4, applicationName: 'performing', use: 'read' as const };
    await migrate(settings);
    const performing = new Performing(await openDatabase(settings, () => undefined), drop);
    performing.configure(config);
    return performing;
  }

  /** Performers anew, as another executor on the same database. */
  configure(config: Partial<PerformerParts['config']>): void {
    this.performers = createPerformers({
      config: { slots: 50, allowShell: true, httpAllow: loopback, secrets: {}, secretsDir: undefined, ...config },
      handlers: this.handlers,
      database: this.database,
      logger: silentLogger,
    });
  }

  /** One attempt of a node, given as its definition. */
  async perform(node: Readonly<Record<string, unknown>> | string, given: TaskGiven = {}): Promise<Outcome> {
    const task = taskOf(typeof node === 'string' ? node : JSON.stringify({ id: 'node', ...node }), given);
    const performer = this.performers.find((p) => p.type === task.node.type)!;
    return performer.perform(task, {
      signal: given.signal ?? new AbortController().signal,
      log: (level, message, fields) => this.lines.push({ level, message, ...(fields ? { fields } : {}) }),
    });
  }

  http(
    config: Readonly<Record<string, unknown>>,
    given: TaskGiven = {},
    rest: Readonly<Record<string, unknown>> = {},
  ): Promise<Outcome> {
    return this.perform({ type: 'HTTP', config, ...rest }, given);
  }

  async stop(): Promise<void> {
    await this.database.close();
    await this.drop();
  }
}

/** @param node exact JSON text of its definition */
function taskOf(node: string, given: TaskGiven): ClaimedTask {
  const parsed = parsePipeline(`{"name":"under-test","nodes":[${node}],"edges":[]}`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.defects));
  const executionId = given.executionId ?? randomUUID();
  const input = given.item ?? '{}';
  const parentId = given.isTopLevel ? null : randomUUID();
  return {
    executionId,
    rootId: executionId,
    parentId,
    fanOutId: null,
    at: null as never,
    node: parsed.plan.nodes[0]!,
    attempt: given.attempt ?? 1,
    fencingToken: given.fencingToken ?? 1,
    incarnation: 1,
    itemKey: null,
    scope: { input, item: input, index: 0, executionId, parentId, labels: '{}' },
    batchId: given.fencingToken ?? 1,
    holds: false,
    learns: false,
    startBy: null,
    units: [],
    refusal: null,
    suspect: false,
  };
}

/** The error of an outcome that has one. */
export function errorOf(outcome: Outcome): Readonly<Record<string, unknown>> {
  if (!('error' in outcome)) throw new Error(`no error: ${JSON.stringify(outcome).slice(0, 500)}`);
  return outcome.error;
}

/** The output of an outcome that has one, as JSON text. */
export function outputOf(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') throw new Error(`no success: ${JSON.stringify(outcome).slice(0, 500)}`);
  return outcome.output ?? 'null';
}
