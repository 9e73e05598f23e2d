import { busHealth, consumersHealth, type Messaging } from '@app/messaging';
import {
  AdmissionStore,
  AtOnceStore,
  CommandStore,
  ControlMoves,
  DecisionStore,
  FanOutFactSource,
  FrozenInputStore,
  IntakeStore,
  MergeStore,
  ParentStore,
  ParkingStore,
  PlanSource,
  PressureStore,
  QuotaStore,
  RecordStore,
  RepairStore,
  ResultStore,
  ScheduleStore,
  schemaHealth,
  SettlementStore,
  SnapshotStore,
  SpawnStore,
  TallyStore,
  TimerStore,
  TriggerStore,
  longestLeaseMs,
  type Database,
} from '@app/persistence';
import {
  Loop,
  SystemClock,
  SystemRandom,
  type FlowConfig,
  type HealthProbes,
  type Logger,
  type Metrics,
  type Shutdown,
} from '@app/runtime';
import { Starter } from '@app/starting';
import { claimName } from '@app/contracts/messages/envelopes.js';
import { ADMISSION_TOPIC, CONTROL_TOPIC } from '@app/contracts/messages/queues.js';
import { AdmissionService } from './admission/admission.service.js';
import { ControlService } from './control/control.service.js';
import { DecisionService } from './deciding/decision.service.js';
import { Hints } from './deciding/hints.js';
import { IntakeService } from './intake/intake.service.js';
import { MergingService } from './merging/merging.service.js';
import { SchedulesService } from './schedules/schedules.service.js';
import { SettlementService } from './settlement/settlement.service.js';
import { FrozenInput } from './spawning/frozen-input.js';
import { ListFreezer } from './spawning/list-freezer.js';
import { QuotaCheck } from './spawning/quota-check.js';
import { batchWithin, SpawningService } from './spawning/spawning.service.js';
import { LostExecutorSweep } from './sweeps/lost-executor.sweep.js';
import { OverdueSweep } from './sweeps/overdue.sweep.js';
import { ParkingSweep } from './sweeps/parking.sweep.js';
import { PressureSweep } from './sweeps/pressure.sweep.js';
import { StaleReadySweep } from './sweeps/stale-ready.sweep.js';
import type { Sweep } from './sweeps/sweep.js';
import { TallySweep } from './sweeps/tally.sweep.js';
import { TriggersService } from './triggers/triggers.service.js';

export interface OrchestratorParts {
  readonly database: Database;
  readonly messaging: Messaging;
  readonly flow: FlowConfig;
  /** Largest input that a message may bring. */
  readonly bodyLimitBytes: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
}

/**
 * One orchestrator: composition only. Work moves intake → admission → spawning → settlement → merging; control, timers and
 * sweeps stand beside it. Any number of them is active at once; row locks divide the work.
 */
export class Orchestrator {
  readonly intake: IntakeService;
  readonly settlement: SettlementService;
  readonly spawning: SpawningService;
  readonly lost: LostExecutorSweep;
  private readonly merging: MergingService;
  private readonly triggers: TriggersService | null;
  private readonly admission: Loop;
  private readonly verdicts: Loop;
  private readonly loops: Loop[] = [];
  private readonly spawnsInFlight = new Set<Promise<void>>();

  constructor(private readonly parts: OrchestratorParts) {
    const { database, messaging, flow, logger, metrics } = parts;
    const clock = new SystemClock();
    const random = new SystemRandom();
    const plans = new PlanSource();
    const facts = new FanOutFactSource();
    const snapshots = new SnapshotStore(plans, facts, flow.largeGraphNodes);
    const decisionStore = new DecisionStore(plans);
    const spawnStore = new SpawnStore();
    const repairs = new RepairStore();
    const hints = new Hints(messaging.bus);
    const decisions = new DecisionService(snapshots, decisionStore, new AtOnceStore(), random);
    const settlementStore = new SettlementStore();
    const frozenInput = new FrozenInputStore();
    const pressures = new PressureStore();
    // Ahead by that much, no whole batch fits into the lead any more.
    const lead = flow.spawnLead - batchWithin(flow.spawnLead) + 1;
    const parking = new ParkingSweep(database, new ParkingStore(), pressures, snapshots, lead);
    const freezer = new ListFreezer(database, spawnStore, new ResultStore(plans), random);
    this.spawning = new SpawningService(
      database,
      spawnStore,
      facts,
      new ParentStore(),
      plans,
      freezer,
      new FrozenInput(database, spawnStore, frozenInput),
      new QuotaCheck(database, new QuotaStore(), spawnStore),
      hints,
      flow.spawnLead,
      parking,
      logger,
    );
    this.merging = new MergingService(
      database,
      new MergeStore(),
      plans,
      snapshots,
      decisionStore,
      decisions,
      hints,
      () => this.ringControl(),
      logger,
    );
    const admission = new AdmissionService(
      database,
      new AdmissionStore(),
      messaging.bus,
      clock,
      flow.admissionWindow,
      flow.backlogThreshold,
      logger,
      (ids) => hints.intake(ids),
      (fanOuts) => this.spawnAll(fanOuts),
    );
    this.settlement = new SettlementService(database, settlementStore, decisions, admission, hints, logger);
    this.intake = new IntakeService(database, new IntakeStore(), decisions, admission, hints);
    this.lost = new LostExecutorSweep(database, repairs, messaging.bus, clock, logger, () =>
      longestLeaseMs(database.any),
    );
    this.admission = this.loop('admission', 500, () => admission.runOnce());
    const control = new ControlService(database, new CommandStore(), messaging.bus, hints, logger);
    this.loop('control', 500, () => control.runOnce());
    const timers = new TimerStore();
    this.loop('due-timer', 500, async () => {
      if ((await timers.fireRetention(database.any, 100)).length > 0) this.ringControl();
      const { due, batches, commands, claims } = await timers.fire(database, 500);
      if (commands) this.ringControl();
      if (claims.length > 0) hints.aborting(claims.map((c) => claimName(c.executionId, c.node, c.fencingToken)));
      if (batches.length > 0) await this.settlement.settle(batches);
      return due;
    });
    const cancels = new ControlMoves(database, (effects) => {
      this.ringControl();
      hints.controlled(effects);
    });
    const schedules = new SchedulesService(database, new ScheduleStore(), plans, cancels, hints, clock, random, logger);
    this.loop('frozen-input', 250, async () => this.spawnAll(await frozenInput.ended(database.any, 100, lead)));
    this.loop('schedules', 500, () => schedules.runOnce());
    this.triggers =
      messaging.foreign &&
      new TriggersService({
        database,
        store: new TriggerStore(),
        plans,
        starter: new Starter(),
        foreign: messaging.foreign,
        clock,
        random,
        logger,
        limitBytes: parts.bodyLimitBytes,
        started: (id) => hints.intake([id]),
      });
    const { triggers } = this;
    if (triggers) this.loop('triggers', 1_000, () => triggers.runOnce());
    this.verdicts = this.loop('verdict', 500, () => this.merging.runOnce());
    hints.bind({
      admission: (queues) => {
        if (queues) admission.expect(queues);
        this.admission.ring();
      },
      spawning: (fanOuts) => this.spawnAll(fanOuts),
      merging: () => this.verdicts.ring(),
    });
    const sweeps: Sweep[] = [
      { name: 'intake', intervalMs: 1_000, runOnce: () => this.intake.sweep(3_000) },
      {
        name: 'spawn',
        intervalMs: 1_000,
        runOnce: async () => this.spawnAll(await spawnStore.resting(database.any, 3_000, 50, lead)),
      },
      {
        name: 'unsettled',
        intervalMs: 500,
        runOnce: async () => {
          const batches = await settlementStore.unsettled(database.any, 1_000, 20);
          return batches.length === 0 ? 0 : this.settlement.settle(batches);
        },
      },
      new StaleReadySweep(database, repairs, new RecordStore(), messaging.bus),
      parking,
      new PressureSweep(
        database,
        pressures,
        messaging.bus,
        flow.pressure,
        clock,
        random,
        logger,
        (deferred) => parking.wakeAll(deferred),
        (fanOuts) => this.spawnAll(fanOuts),
      ),
      new OverdueSweep(database, repairs, messaging.bus),
      this.lost,
      new TallySweep(database, new TallyStore(), clock, logger),
      { name: 'backlog', intervalMs: 10_000, runOnce: async () => (await repairs.sampleBacklog(database.any), 0) },
    ];
    const repaired = metrics.counter<'sweep'>({
      name: 'fanfold_sweep_repaired_total',
      help: 'What a sweep had to repair because a message was lost.',
      labels: ['sweep'],
    });
    for (const sweep of sweeps)
      this.loop(sweep.name, sweep.intervalMs, async () => {
        const count = await sweep.runOnce();
        if (count > 0) {
          repaired.inc({ sweep: sweep.name }, count);
          logger.info({ sweep: sweep.name, repaired: count }, 'swept');
        }
      });
  }

  get probes(): HealthProbes {
    const { database, messaging, shutdown } = this.parts;
    const ready = [schemaHealth(database), busHealth(messaging.bus, 'down'), consumersHealth(messaging.strategy)];
    return { loops: this.loops, ready, shutdown };
  }

  async start(): Promise<void> {
    const { bus } = this.parts.messaging;
    await bus.subscribe(ADMISSION_TOPIC, () => this.admission.ring());
    await bus.subscribe(CONTROL_TOPIC, () => this.ringControl());
    for (const loop of this.loops) loop.start();
  }

  /** Spawns, in the background, what may be spawned now. */
  spawnAll(fanOuts: readonly number[]): number {
    for (const fanOut of fanOuts) {
      const run = this.spawning
        .spawn(fanOut, this.parts.shutdown.signal)
        .catch((error: unknown) =>
          this.parts.logger.warn({ err: error, fanOut }, 'spawning stopped; the sweep goes on'),
        )
        .finally(() => this.spawnsInFlight.delete(run));
      this.spawnsInFlight.add(run);
    }
    return 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.triggers?.stop();
    await Promise.all(this.spawnsInFlight);
  }

  private ringControl(): void {
    this.loops.find((l) => l.name === 'control')?.ring();
  }

  private loop(name: string, intervalMs: number, runOnce: () => Promise<number | void>): Loop {
    const { logger, metrics } = this.parts;
    const loop = new Loop({ name, intervalMs, runOnce, logger, metrics });
    this.loops.push(loop);
    return loop;
  }
}
