import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, METRICS, MetricsController, type HealthProbes, type Metrics } from '@app/runtime';
import { ApiModule, type ApiOptions } from '../../api/src/api.module.js';
import type { Orchestrator } from '../../orchestrator/src/orchestrator.js';
import { OrchestratorModule } from '../../orchestrator/src/orchestrator.module.js';

export interface StandaloneOptions {
  readonly api: ApiOptions;
  readonly orchestrator: Orchestrator;
  readonly metrics: Metrics;
  readonly probes: HealthProbes;
}

/** Api and orchestrator in one process; the executor is a child process. */
@Module({})
export class StandaloneModule {
  static forRoot({ api, orchestrator, metrics, probes }: StandaloneOptions): DynamicModule {
    return {
      module: StandaloneModule,
      imports: [
        ApiModule.forRoot(api),
        OrchestratorModule.forRoot(orchestrator),
        HealthModule.registerAsync({ useFactory: () => probes }),
      ],
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: metrics }],
    };
  }
}
