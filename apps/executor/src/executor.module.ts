import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, MetricsController, METRICS, type Metrics } from '@app/runtime';
import type { Executor } from './executor.js';

/** The http face of an executor: health and metrics. Work arrives over the bus. */
@Module({})
export class ExecutorModule {
  static forRoot(executor: Executor, metrics: Metrics): DynamicModule {
    return {
      module: ExecutorModule,
      imports: [HealthModule.registerAsync({ useFactory: () => executor.probes })],
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: metrics }],
    };
  }
}
