/**
 * Why an execution is not progressing, from what the tables say right now. The first reason that applies is told, in the
 * order in which it would hold the execution back: a mark on its lineage, what its tasks wait for, what keeps it from being
 * admitted. Nothing is guessed: where nothing holds it back, it says what comes next.
 */
import { Inject, Injectable } from '@nestjs/common';
import { fitting, isPerformed, itemIndexOf, type Cause, type Plan, type PlannedNode, type Pressure } from '@app/domain';
import {
  PressureStore,
  WaitingReadingStore,
  type ExecutionRow,
  type FanOutRow,
  type WaitingTask,
} from '@app/persistence';
import { API, type Api } from '../api.js';
import { Plans } from '../pipelines/plans.js';
import { ExecutionReader } from './execution-reader.js';
import { isSettled, planOf } from './execution-view.js';
import { openCount } from './fan-out-counts.js';
import { stopsToldOf } from './fan-out-view.js';

export interface Why {
  readonly reason: string;
  readonly detail: string;
  readonly nodeId?: string;
  readonly until?: Date;
  /** Where a destination holds it, which, and which of its limits. */
  readonly destination?: string;
  readonly limit?: Cause;
}

@Injectable()
export class WhyService {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(WaitingReadingStore) private readonly waiting: WaitingReadingStore,
    @Inject(PressureStore) private readonly pressures: PressureStore,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  async of(row: ExecutionRow): Promise<Why> {
    const marked = await this.markedBy(row);
    if (isSettled(row)) return { reason: 'SETTLED', detail: `it has ${row.state}` };
    if (marked) return marked;
    const plan = planOf(row, await this.plans.ofAll([row.versionId]));
    const tasks = await this.waiting.tasks(this.api.database.any, { id: row.id });
    if (tasks.length === 0) return this.unadmitted(row, plan);
    if (row.state === 'pending' && tasks.every(({ availableAt }) => availableAt === null)) {
      const full = fanOutLimit(await this.openedOf(row));
      if (full) return full;
    }
    const fanOuts = await this.reader.fanOutsOf(row, undefined);
    const deferred = fanOuts.some((f) => f.deferredUntil !== null);
    const pressures = deferred ? await this.pressures.inForce(this.api.database.any) : [];
    const reasons = await Promise.all(tasks.map((task) => this.ofTask(task, plan.nodes, fanOuts, pressures)));
    // What nothing holds back is no reason while something else is held back.
    return reasons.find((why) => why.reason !== 'RUNNING' && why.reason !== 'WAITING_FOR') ?? reasons[0]!;
  }

  private async markedBy(row: ExecutionRow): Promise<Why | null> {
    const marks = await this.waiting.marks(this.api.database.any, { id: row.id });
    const mark = marks.find(({ kind }) => kind === 'cancel') ?? marks.slice(0, 1).find(({ kind }) => kind === 'pause');
    if (!mark) return row.state === 'paused' ? { reason: 'PAUSED', detail: 'it is paused' } : null;
    const where =
      mark.spawner !== null
        ? `the fan-out of ${await this.nodeId(mark.executionId, mark.spawner)} of ${mark.executionId}`
        : mark.executionId === row.id
          ? 'it'
          : `the execution ${mark.executionId} above it`;
    const stops = mark.kind === 'pause' && mark.spawner === null ? await this.stopsOf(mark.executionId) : null;
    if (mark.reason !== null && mark.kind === 'pause')
      return {
        reason: mark.reason,
        detail: `${where} paused itself: ${stops ?? 'a stage of its rollout had more failures than it may'}; ${stopWayOut}`,
      };
    if (mark.kind === 'pause')
      return {
        reason: 'PAUSED',
        detail: `${where} is paused${stops ? `, and its rollout has stopped: ${stops}` : ''}`,
      };
    return {
      reason: 'CANCELLING',
      detail: `${where} ${mark.reason === 'TIMEOUT' ? 'ran out of time' : 'was cancelled'}`,
    };
  }

  private async stopsOf(executionId: string): Promise<string | null> {
    const row = await this.reader.row(executionId);
    const rows = await this.reader.fanOutsOf(row, undefined);
    return stopsToldOf(rows, planOf(row, await this.plans.ofAll([row.versionId])));
  }

  private async nodeId(executionId: string, position: number): Promise<string> {
    const row = await this.reader.row(executionId);
    return planOf(row, await this.plans.ofAll([row.versionId])).nodes[position]!.id;
  }

  private async ofTask(
    task: WaitingTask,
    nodes: Plan['nodes'],
    fanOuts: readonly FanOutRow[],
    pressures: readonly Pressure[],
  ): Promise<Why> {
    const node = nodes[task.node]!;
    const nodeId = node.id;
    if (task.state === 'running' || task.state === 'recorded') {
      const by = task.incarnation === null ? '' : ` on executor ${task.incarnation}`;
      return { reason: 'RUNNING', detail: `attempt ${task.attempt} runs${by}`, nodeId };
    }
    if (task.state === 'waiting') {
      const spawner = nodes[node.config.type === 'MERGE' ? node.config.of : node.index]!;
      return { ...waitingFor(task, node, spawner.id, fanOuts, pressures), nodeId };
    }
    if (task.error?.includes('MISSING_SECRET'))
      return { reason: 'MISSING_SECRET', detail: 'no executor has a secret that the node names', nodeId };
    const missing = await this.withoutHandler(node);
    if (missing) return { ...missing, nodeId };
    const met = hostMet(task.error);
    const held = met && (await this.heldByDestination(node, met.names, met.hosts));
    if (held) return { ...held, nodeId };
    if (task.availableAt !== null)
      return {
        reason: 'RETRY_AT',
        detail: `it is tried again at ${task.availableAt.toISOString()}`,
        nodeId,
        until: task.availableAt,
      };
    return { ...(await this.withoutRoom(node, task.destinations, node.queue)), nodeId };
  }

  /** Tried again and again, it waits for an executor that has the handler. */
  private async withoutHandler({ config, queue }: PlannedNode): Promise<Why | null> {
    if (config.type !== 'HANDLER') return null;
    const serving = (await this.waiting.liveExecutors(this.api.database.any)).filter((x) => x.queues.includes(queue));
    if (serving.some((x) => x.handlers.includes(config.handler))) return null;
    const known = [...new Set(serving.flatMap((x) => x.handlers))].sort();
    const those = known.length === 0 ? 'they have none' : `they have ${known.slice(0, 20).join(', ')}`;
    return {
      reason: 'NO_EXECUTOR',
      detail:
        serving.length === 0
          ? `no live executor serves the queue ${queue}`
          : `no live executor of the queue ${queue} has the handler ${config.handler}; ${those}`,
    };
  }

  private async openedOf({ fanOutId }: ExecutionRow): Promise<Opened | null> {
    return fanOutId === null ? null : this.waiting.opened(this.api.database.any, { fanOutId });
  }

  /** A child that admission has not reached, or an execution that nobody has laid out yet. */
  private async unadmitted(row: ExecutionRow, plan: Plan): Promise<Why> {
    const opened = await this.openedOf(row);
    if (!opened) return { reason: 'WAITING_FOR', detail: 'an orchestrator to lay it out' };
    const full = fanOutLimit(opened);
    if (full) return full;
    if (opened.backlogged)
      return {
        reason: 'BACKPRESSURE',
        detail: 'too many tasks of its fan-out wait to be served before more are started',
      };
    if (opened.released !== null && itemIndexOf(row.id) >= opened.released)
      return {
        reason: opened.stageHold === 'approval' ? 'ROLLOUT_APPROVAL' : 'ROLLOUT_STAGE',
        detail: `stage ${opened.stage + 1} of its fan-out's rollout has released ${opened.released} children`,
      };
    const [first] = plan.roots.map((position) => plan.nodes[position]!);
    const held = await this.withoutRoom(
      first!,
      first!.destinations.map((d) => d.name),
      opened.queue || first!.queue,
    );
    if (held.reason !== 'WAITING_FOR') return held;
    const before = itemIndexOf(row.id) - opened.cursor;
    return before > 0 ? { reason: 'WAITING_FOR', detail: `${before} items before it to be admitted` } : held;
  }

  /** Node and pipeline limits are destinations as well, and are told as what they are. */
  private async heldByDestination(
    node: PlannedNode,
    names: readonly string[],
    hosts: readonly string[],
  ): Promise<Why | null> {
    const destinations = await this.waiting.destinations(this.api.database.any, { names, hosts });
    const paused = destinations.find(({ isPaused }) => isPaused);
    if (paused)
      return { reason: 'PAUSED', detail: `the destination ${paused.name} is paused`, destination: paused.name };
    if (destinations.some(({ givesWay }) => givesWay)) {
      const pressures = await this.pressures.inForce(this.api.database.any);
      const detail = pressures.map((p) => `${p.kind}: ${p.detail}`).join('; ');
      return { reason: 'BACKPRESSURE', detail: detail || 'pressure is just gone' };
    }
    // What the item costs is not looked at: where a call of the usual cost has no room, neither has this one.
    const usual = (i: number) => destinations[i]!.rateState.meanCost ?? 1;
    const { by } = fitting(destinations, 1, (_, position) => usual(position));
    if (!by) return null;
    const full = destinations[by.position]!;
    const own = /^(node|pipeline):/.exec(full.name)?.[1];
    if (own !== undefined)
      return { reason: 'CONCURRENCY', detail: `${full.held} tasks of the ${own} run, and ${full.limit} may` };
    const limit = full.isProbed && by.cause === 'concurrency' ? 'breaker' : by.cause;
    return {
      reason: 'DESTINATION_LIMIT',
      detail: told(full, by.cause),
      destination: full.name,
      limit,
      ...(by.waitMs === null ? {} : { until: new Date(full.now + by.waitMs) }),
    };
  }

  private async withoutRoom(node: PlannedNode, names: readonly string[], queue: string): Promise<Why> {
    const { any } = this.api.database;
    const host = node.config.type === 'HTTP' ? node.config.host : null;
    const hosts = host === null ? [] : [host, host.replace(/:\d+$/, '')];
    const implicit = host === null ? [] : [`host:${host}`];
    const { config, type } = node;
    const executors = (await this.waiting.liveExecutors(any)).filter(
      (x) =>
        x.queues.includes(queue) &&
        (!isPerformed(type) || x.nodeTypes.includes(type)) &&
        (config.type !== 'HANDLER' || x.handlers.includes(config.handler)),
    );
    if (executors.length === 0)
      return (
        (await this.withoutHandler(node)) ?? {
          reason: 'NO_EXECUTOR',
          detail: `no live executor serves the queue ${queue} and can perform ${node.type}`,
        }
      );
    const held = await this.heldByDestination(
      node,
      [...names, ...implicit, ...node.destinations.map((d) => d.name)],
      hosts,
    );
    if (held) return held;
    if (node.maxConcurrency !== null)
      return { reason: 'CONCURRENCY', detail: `at most ${node.maxConcurrency} tasks of the node run at once` };
    if (executors.every((x) => x.freeSlots === 0))
      return { reason: 'CONCURRENCY', detail: `every slot of the queue ${queue} is taken` };
    return { reason: 'WAITING_FOR', detail: 'an executor to claim it' };
  }
}

type Opened = NonNullable<Awaited<ReturnType<WaitingReadingStore['opened']>>>;

function fanOutLimit(opened: Opened | null): Why | null {
  if (opened === null || opened.maxConcurrency === null || opened.open < opened.maxConcurrency) return null;
  return {
    reason: 'FAN_OUT_LIMIT',
    detail: `${opened.open} of ${opened.maxConcurrency} children of its fan-out are open`,
  };
}

/** The host that had no room for the last attempt, under the names that a destination may have for it: only the item names it. */
function hostMet(error: string | null): { names: string[]; hosts: string[] } | null {
  if (error === null || !/"code":"DESTINATION\.(PAUSED|THROTTLED|FULL)"/.test(error)) return null;
  const { destination } = JSON.parse(error) as { destination?: unknown };
  if (typeof destination !== 'string') return null;
  const host = destination.replace(/:\d+$/, '');
  return {
    names: [`host:${destination}`, ...(/:(80|443)$/.test(destination) ? [`host:${host}`] : [])],
    hosts: [destination, host],
  };
}

const stopWayOut = 'resume goes on, cancel ends it';

interface Held {
  readonly name: string;
  readonly isProbed: boolean;
  readonly held: number;
  readonly limit: number | null;
}

/** The limit by its name, with what it has. */
function told({ name, isProbed, held, limit }: Held, cause: Cause): string {
  switch (cause) {
    case 'breaker':
      return `the breaker of the destination ${name} is open: its calls kept failing`;
    case 'throttle':
      return `the destination ${name} is throttled`;
    case 'rate':
      return `the rate of the destination ${name} is used up`;
    case 'concurrency':
      return isProbed
        ? `the breaker of the destination ${name} lets one call at a time through`
        : `${held} calls hold the destination ${name}, which allows ${limit}`;
  }
}

function waitingFor(
  task: WaitingTask,
  node: PlannedNode,
  spawnerId: string,
  fanOuts: readonly FanOutRow[],
  pressures: readonly Pressure[],
): Why {
  const until = task.dueAt === null ? {} : { until: task.dueAt };
  if (node.config.type === 'WAIT') return { reason: 'WAITING_FOR', detail: 'its time', ...until };
  if (node.config.type === 'SIGNAL')
    return { reason: 'WAITING_FOR', detail: `the signal ${node.config.name.literalPrefix}`, ...until };
  const spawner = node.config.type === 'MERGE' ? node.config.of : node.index;
  const fanOut = fanOuts.find((f) => f.node === spawner);
  if (!fanOut) return { reason: 'WAITING_FOR', detail: 'its fan-out to be planned' };
  if (fanOut.pausedAt !== null) return { reason: 'PAUSED', detail: `the fan-out of ${spawnerId} is paused` };
  if (fanOut.deferredReason?.startsWith('ROLLOUT'))
    return { reason: fanOut.deferredReason, detail: 'a stage of its rollout waits for an operator' };
  if (fanOut.deferredUntil) {
    const reason = fanOut.deferredReason === 'SPAWN_LEAD' ? 'SPAWN_LEAD' : 'BACKPRESSURE';
    const pressure = pressures.find(({ kind }) => kind === fanOut.deferredReason);
    const kind = fanOut.deferredReason ?? 'it is deferred';
    return { reason, detail: pressure ? `${kind}: ${pressure.detail}` : kind, until: fanOut.deferredUntil };
  }
  if (node.config.type === 'SPAWNER' && !fanOut.sealed && !fanOut.closed)
    return fanOut.spawned - fanOut.admitCursor > 0
      ? { reason: 'SPAWN_LEAD', detail: `${fanOut.spawned - fanOut.admitCursor} children are spawned and not admitted` }
      : { reason: 'WAITING_FOR', detail: node.config.freeze ? 'a look-up of its frozen input' : 'its list to be read' };
  if (node.config.type === 'PIPELINE') return { reason: 'WAITING_FOR', detail: 'its child execution' };
  return { reason: 'WAITING_FOR', detail: `${openCount(fanOut)} open children` };
}
