import { Module, type DynamicModule, type InjectionToken, type ModuleMetadata } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HEALTH_PROBES, type HealthProbes } from './health-probes.js';

export interface HealthModuleOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: InjectionToken[];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the injected values are whatever `inject` names
  readonly useFactory: (...dependencies: any[]) => HealthProbes | Promise<HealthProbes>;
}

/** Serves `/health/live` and `/health/ready`. */
@Module({})
export class HealthModule {
  static registerAsync({ imports = [], inject = [], useFactory }: HealthModuleOptions): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), ...imports],
      controllers: [HealthController],
      providers: [{ provide: HEALTH_PROBES, inject, useFactory }],
    };
  }
}
