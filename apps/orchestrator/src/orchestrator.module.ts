import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, METRICS, MetricsController, type Metrics } from '@app/runtime';
import { IntakeConsumer } from './intake/intake.consumer.js';
import { IntakeService } from './intake/intake.service.js';
import type { Orchestrator } from './orchestrator.js';
import { RecordedConsumer } from './settlement/recorded.consumer.js';
import { SettlementService } from './settlement/settlement.service.js';

/** The consumers of an orchestrator. */
@Module({})
export class OrchestratorModule {
  static forRoot(orchestrator: Orchestrator): DynamicModule {
    return {
      module: OrchestratorModule,
      controllers: [IntakeConsumer, RecordedConsumer],
      providers: [
        { provide: IntakeService, useValue: orchestrator.intake },
        { provide: SettlementService, useValue: orchestrator.settlement },
      ],
    };
  }
}

/** An orchestrator as a process of its own: its consumers, health and metrics. */
@Module({})
export class OrchestratorServiceModule {
  static forRoot(orchestrator: Orchestrator, metrics: Metrics): DynamicModule {
    return {
      module: OrchestratorServiceModule,
      imports: [
        OrchestratorModule.forRoot(orchestrator),
        HealthModule.registerAsync({ useFactory: () => orchestrator.probes }),
      ],
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: metrics }],
    };
  }
}
