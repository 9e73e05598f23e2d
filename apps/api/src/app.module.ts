import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, METRICS, MetricsController, type HealthProbes, type Metrics } from '@app/runtime';
import { ApiModule, type ApiOptions } from './api.module.js';

export interface ApiServiceOptions extends ApiOptions {
  readonly metrics: Metrics;
  readonly probes: HealthProbes;
}

/** The api as a process of its own: its calls, health and metrics. */
@Module({})
export class ApiServiceModule {
  static forRoot(options: ApiServiceOptions): DynamicModule {
    const { probes, ...api } = options;
    return {
      module: ApiServiceModule,
      imports: [ApiModule.forRoot(api), HealthModule.registerAsync({ useFactory: () => probes })],
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: options.metrics }],
    };
  }
}
