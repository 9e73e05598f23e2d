import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import {
  ApiKeyStore,
  AuditStore,
  DatasetStore,
  DestinationStore,
  ExecutionReadingStore,
  FanOutReadingStore,
  IdempotencyKeyStore,
  NoticeStore,
  OperationsReadingStore,
  PipelineStore,
  PressureStore,
  QuotaStore,
  ScheduleStore,
  TriggerStore,
  WaitingReadingStore,
  type Database,
} from '@app/persistence';
import { smallestWindow } from '@app/domain';
import { InputSchemas, Starter } from '@app/starting';
import type { Logger, Metrics } from '@app/runtime';
import { ApiKeysController } from './access/api-keys.controller.js';
import { AuditController } from './access/audit.controller.js';
import { API, type Api } from './api.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DatasetsService } from './datasets/datasets.service.js';
import { DestinationsController } from './destinations/destinations.controller.js';
import { ChildrenController } from './executions/children.controller.js';
import { ControlController } from './executions/control.controller.js';
import { CONTROL, noControl, type ControlPort } from './executions/control-port.js';
import { ExecutionLists } from './executions/execution-lists.js';
import { ExecutionReader } from './executions/execution-reader.js';
import { ExecutionStartService } from './executions/execution-start.service.js';
import { ExecutionsController } from './executions/executions.controller.js';
import { FailedItems } from './executions/failed-items.js';
import { FanOutResults } from './executions/fan-out-results.js';
import { HistoryController } from './executions/history.controller.js';
import { ResultsController } from './executions/results.controller.js';
import { SettlementWaits } from './executions/settlement-waits.js';
import { WhyService } from './executions/why.service.js';
import { HintBus, type Hints } from './hints/hint-bus.js';
import { Housekeeping } from './housekeeping/housekeeping.js';
import { RequestKeys } from './idempotency/request-keys.js';
import { NoticesController } from './notices/notices.controller.js';
import { OperationsController } from './operations/operations.controller.js';
import { PressureController } from './operations/pressure.controller.js';
import { QuotasController } from './operations/quotas.controller.js';
import { PipelinesController } from './pipelines/pipelines.controller.js';
import { PipelinesService } from './pipelines/pipelines.service.js';
import { Plans } from './pipelines/plans.js';
import { StartTargets } from './pipelines/start-targets.js';
import { CursorCodec } from './request/cursor.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { StreamController } from './streaming/stream.controller.js';
import { StreamHub } from './streaming/stream-hub.js';
import { TAKES_MESSAGES, TriggersController } from './triggers/triggers.controller.js';

export interface ApiOptions {
  readonly database: Database;
  readonly bus: Hints;
  readonly logger: Logger;
  /** The bootstrap administrator key; the same on every replica, as cursors are signed with it. */
  readonly apiKey: string;
  readonly bodyLimitBytes: number;
  /** Most ready tasks per queue. */
  readonly admissionWindow: number;
  /** Where control moves go; without it they are refused. */
  readonly control?: ControlPort;
  /** The bus has queues that others publish to. */
  readonly takesMessages?: boolean;
  /** Counts and times requests. */
  readonly metrics?: Metrics;
  /** Folder with the built files of the dashboard, served where the api has no path of its own. */
  readonly dashboardDir?: string;
}

/** Injection token of the {@link ApiOptions}. */
export const API_OPTIONS = Symbol('API_OPTIONS');

const stores = [
  ApiKeyStore,
  AuditStore,
  DatasetStore,
  DestinationStore,
  ExecutionReadingStore,
  FanOutReadingStore,
  IdempotencyKeyStore,
  NoticeStore,
  OperationsReadingStore,
  PipelineStore,
  PressureStore,
  QuotaStore,
  ScheduleStore,
  TriggerStore,
  WaitingReadingStore,
];

/**
 * Everything below `/v1`. A process that imports it creates its app with `apiAppOptions` and passes it through
 * `configureApi` before it listens.
 */
@Module({})
export class ApiModule {
  static forRoot(options: ApiOptions): DynamicModule {
    return {
      module: ApiModule,
      controllers: [
        PipelinesController,
        DatasetsController,
        ExecutionsController,
        ControlController,
        ChildrenController,
        HistoryController,
        ResultsController,
        NoticesController,
        StreamController,
        DestinationsController,
        PressureController,
        QuotasController,
        SchedulesController,
        TriggersController,
        OperationsController,
        ApiKeysController,
        AuditController,
      ],
      providers: providersFor(options),
      exports: [API_OPTIONS, API, ApiKeyStore, AuditStore, RequestKeys],
    };
  }
}

function providersFor(options: ApiOptions): Provider[] {
  const { database, bus, logger, apiKey, bodyLimitBytes, admissionWindow } = options;
  const api: Api = {
    database,
    logger,
    bodyLimitBytes,
    smallestWindow: Math.min(smallestWindow, admissionWindow),
    cursors: new CursorCodec(apiKey),
  };
  return [
    ...stores,
    { provide: API_OPTIONS, useValue: options },
    { provide: API, useValue: api },
    { provide: HintBus, useValue: new HintBus(bus, logger) },
    { provide: CONTROL, useValue: options.control ?? noControl },
    {
      provide: Plans,
      inject: [PipelineStore],
      useFactory: (pipelines: PipelineStore) => new Plans(database, pipelines),
    },
    {
      provide: RequestKeys,
      inject: [IdempotencyKeyStore],
      useFactory: (keys: IdempotencyKeyStore) => new RequestKeys(database, keys),
    },
    InputSchemas,
    { provide: Starter, inject: [InputSchemas], useFactory: (schemas: InputSchemas) => new Starter(schemas) },
    PipelinesService,
    StartTargets,
    { provide: TAKES_MESSAGES, useValue: options.takesMessages ?? false },
    DatasetsService,
    ExecutionStartService,
    ExecutionReader,
    ExecutionLists,
    FanOutResults,
    FailedItems,
    SettlementWaits,
    WhyService,
    StreamHub,
    Housekeeping,
  ];
}
