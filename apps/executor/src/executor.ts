import { ABORT_TOPIC, lightTaskQueue, taskQueue } from '@app/contracts/messages/queues.js';
import { claimName, type AbortSignalMessage, type HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { NodeType } from '@app/domain';
import { busHealth, consumersHealth, type Messaging } from '@app/messaging';
import {
  ClaimStore,
  DestinationLimitStore,
  FrozenInputStore,
  LeaseStore,
  NoticeStore,
  PlanSource,
  RecordStore,
  schemaHealth,
  SpawnStore,
  type Database,
} from '@app/persistence';
import {
  SystemClock,
  SystemRandom,
  type ExecutorConfig,
  type HealthProbes,
  type Logger,
  type Metrics,
  type Shutdown,
} from '@app/runtime';
import { ClaimRooms } from './claim/claim-room.js';
import { ClaimsAhead } from './claim/claims-ahead.js';
import { WhoPerforms } from './claim/who-performs.js';
import { ClaimService } from './claim/claim.service.js';
import { DestinationWakes } from './destinations/destination-wakes.js';
import { RateRenewal } from './destinations/rate-renewal.js';
import { handoutSchema } from './intake/handout-schema.js';
import { LeaseService } from './lease/lease.service.js';
import { Reconciler } from './lease/reconciler.js';
import type { HandlerRegistry } from './nodes/handler-registry.js';
import { LookupsService } from './lookups/lookups.service.js';
import { DeliveryService } from './notices/delivery.service.js';
import { AttemptLog } from './running/attempt-log.js';
import { Pauses } from './running/pauses.js';
import type { Performer } from './running/performer.js';
import { Recorder } from './running/recorder.js';
import { Room } from './running/room.js';
import { RunningService } from './running/running.service.js';

export interface ExecutorParts {
  readonly database: Database;
  readonly messaging: Messaging;
  readonly config: ExecutorConfig;
  readonly name: string;
  readonly handlers: HandlerRegistry;
  readonly performers: readonly Performer[];
  /** Performs HTTP calls that are no tasks. */
  readonly sidePerformer: Performer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly graceMs: number;
}

/** Hand-outs on their way here. With fewer slots than that they are counted, so that neighbours keep their order. */
const prefetch = 8;

/** One executor process: composition only. Work moves intake → claim → running; the lease stands beside it. */
export class Executor {
  private readonly room: Room;
  private readonly running: RunningService;
  private readonly lease: LeaseService;
  private readonly reconciler: Reconciler;
  private readonly pauses: Pauses;
  private readonly log: AttemptLog;
  private readonly wakes: DestinationWakes;
  private readonly sideCalls: readonly (DeliveryService | LookupsService)[];
  private readonly places: ReturnType<Metrics['gauge']>;

  constructor(private readonly parts: ExecutorParts) {
    const { database, messaging, config, logger, metrics } = parts;
    const clock = new SystemClock();
    const records = new RecordStore();
    const leases = new LeaseStore();
    const incarnation = () => this.lease.incarnation;
    this.room = new Room(config.slots);
    this.log = new AttemptLog(database, records, clock, logger);
    const claims = new ClaimStore();
    const plans = new PlanSource();
    const limits = new DestinationLimitStore();
    const rooms = new ClaimRooms(claims, limits, clock);
    const renewal = new RateRenewal(database, limits, clock, logger);
    this.wakes = new DestinationWakes(
      database,
      records,
      config.queues,
      () => this.running.capacity,
      (handouts) => this.running.take(handouts),
      clock,
      logger,
    );
    this.running = new RunningService(
      new ClaimService(
        database,
        claims,
        rooms,
        new ClaimsAhead(database, claims, rooms, clock),
        plans,
        new WhoPerforms(database, leases, new Set(parts.handlers.names), clock),
      ),
      new Map<NodeType, Performer>(parts.performers.map((p) => [p.type, p])),
      this.room,
      messaging.bus,
      clock,
      this.log,
      logger,
      incarnation,
      () => this.reconcile(),
      (destination, afterMs) => this.wakes.after(destination, afterMs),
      (task) => renewal.renew(task),
    );
    this.reconciler = new Reconciler(database, leases, records, this.running, messaging.bus, logger);
    this.pauses = new Pauses(database, leases, this.running, logger);
    const performs = { handlers: parts.handlers.names, nodeTypes: parts.performers.map((p) => p.type) };
    this.lease = new LeaseService(database, leases, config, parts.name, performs, clock, logger, {
      registered: () => this.pokeAll(),
      beat: () => this.reconcile(),
      lost: () => this.running.abortWhere(() => true, 'lease'),
    });
    const rejected = metrics.counter({
      name: 'fanfold_late_outcomes_rejected_total',
      help: 'Outcomes refused by the fencing token.',
    });
    const recorder = new Recorder(
      database,
      records,
      messaging.bus,
      logger,
      rejected,
      (ended) => this.running.recorded(ended),
      (waiting) => void this.running.take(waiting),
      () => this.room.free,
      config.queues,
    );
    this.running.bind(recorder, () => this.pokeAll());
    const random = new SystemRandom();
    const handler = parts.performers.find((p) => p.type === 'HANDLER')!;
    this.sideCalls = [
      new DeliveryService(database, new NoticeStore(), plans, parts.sidePerformer, random, logger, metrics),
      new LookupsService({
        database,
        store: new FrozenInputStore(),
        lists: new SpawnStore(),
        plans,
        performers: new Map([parts.sidePerformer, handler].map((p) => [p.type, p])),
        queues: config.queues,
        handlers: parts.handlers.names,
        random,
        logger,
        metrics,
      }),
    ];
    this.places = metrics.gauge({ name: 'fanfold_executor_places_used', help: 'Tasks claimed and not yet performed.' });
  }

  get probes(): HealthProbes {
    const { database, messaging, shutdown } = this.parts;
    return {
      loops: this.sideCalls.map(({ calls }) => calls.loop),
      ready: [
        schemaHealth(database),
        busHealth(messaging.bus, 'down'),
        consumersHealth(messaging.strategy),
        { name: 'lease', check: async () => ({ status: this.lease.incarnation === null ? 'down' : 'up' }) },
      ],
      shutdown,
    };
  }

  async start(): Promise<void> {
    const { messaging, config } = this.parts;
    this.showRoom();
    await this.lease.start();
    for (const { calls } of this.sideCalls) calls.start();
    await messaging.bus.subscribe(ABORT_TOPIC, (message: AbortSignalMessage) => this.abort(message));
    for (const [queue, isLight] of config.queues.flatMap((q) => [
      [taskQueue(q), false] as const,
      [lightTaskQueue(q), true] as const,
    ])) {
      messaging.strategy.setCapacity(queue, () => (isLight ? this.running.lightCapacity : this.running.capacity));
      messaging.strategy.consume(queue, (handouts: HandoutMessage[]) => this.running.take(handouts, isLight), {
        batch: 4,
        concurrency: 2,
        prefetch,
        tight: config.slots < prefetch,
        schema: handoutSchema,
      });
    }
  }

  /** Hands back what has not begun, waits for what has, records, lets the lease go. */
  async drain(): Promise<void> {
    this.wakes.stop();
    await this.lease.drain();
    const graceMs = Math.max(0, this.parts.graceMs - 4_000);
    await Promise.all([this.running.drain(graceMs), ...this.sideCalls.map(({ calls }) => calls.drain(graceMs))]);
    await this.log.flush();
    await this.lease.end();
  }

  private abort(message: AbortSignalMessage): void {
    const claims = new Set(message.claims);
    const ids = new Set(message.ids);
    const fanOuts = new Set(message.fanOuts);
    const roots = new Set(message.roots);
    this.running.cancelWhere(
      (t) =>
        claims.has(claimName(t.executionId, t.node.index, t.fencingToken)) ||
        ids.has(t.executionId) ||
        roots.has(t.rootId) ||
        (t.fanOutId !== null && fanOuts.has(t.fanOutId)),
    );
    const { pausedRoots = [], pausedDestinations = [] } = message;
    if (pausedRoots.length + pausedDestinations.length > 0) void this.pauses.heard(pausedRoots, pausedDestinations);
  }

  private reconcile(): void {
    const incarnation = this.lease.incarnation;
    if (incarnation !== null) void this.reconciler.runOnce(incarnation);
  }

  private showRoom(): void {
    this.lease.setFreeSlots(Math.min(this.parts.config.slots, this.room.free));
    this.places.set(this.room.used);
  }

  private pokeAll(): void {
    this.showRoom();
    const { strategy } = this.parts.messaging;
    for (const queue of this.parts.config.queues) {
      strategy.poke(lightTaskQueue(queue));
      strategy.poke(taskQueue(queue));
    }
  }
}
