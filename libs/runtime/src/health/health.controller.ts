import { Controller, Get, Header, HttpException, Inject, Res } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { HealthIndicator, HealthReport } from './health-indicator.js';
import { HEALTH_PROBES, type HealthProbes } from './health-probes.js';

const CHECK_TIMEOUT_MS = 3_000;

interface Answer {
  status(code: number): unknown;
}

@Controller('health')
export class HealthController {
  constructor(
    @Inject(HEALTH_PROBES) private readonly probes: HealthProbes,
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  @Get('live')
  @Header('cache-control', 'no-store')
  live(@Res({ passthrough: true }) response: Answer): Promise<unknown> {
    const loops = this.probes.loops ?? [];
    return this.answer(
      response,
      loops.map(
        ({ name, turning }) =>
          () =>
            this.told(name, turning ? up : { status: 'down', detail: 'stuck' }),
      ),
    );
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  ready(@Res({ passthrough: true }) response: Answer): Promise<unknown> {
    const draining = (): HealthReport =>
      this.probes.shutdown.draining ? { status: 'down', detail: 'shutting down' } : up;
    return this.answer(response, [
      () => this.told('process', draining()),
      ...this.probes.ready.map((indicator) => async () => this.told(indicator.name, await bounded(indicator))),
    ]);
  }

  private told(name: string, { status, detail }: HealthReport): HealthIndicatorResult {
    const session = this.indicators.check(name);
    const data: Record<string, unknown> = detail === undefined ? {} : { detail };
    if (status === 'up') return session.up(data);
    return status === 'degraded' ? session.degraded(data) : session.down(data);
  }

  // The status is set here rather than thrown, so that no exception filter of an app reshapes the answer.
  private async answer(
    response: Answer,
    checks: (() => HealthIndicatorResult | Promise<HealthIndicatorResult>)[],
  ): Promise<unknown> {
    try {
      return await this.health.check(checks);
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      response.status(error.getStatus());
      return error.getResponse();
    }
  }
}

const up: HealthReport = { status: 'up' };

const bounded = async (indicator: HealthIndicator): Promise<HealthReport> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HealthReport>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'down', detail: 'no answer in time' }), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([indicator.check(), late]);
  } catch {
    // What went wrong is for the log of whoever owns the dependency; the answer is public.
    return { status: 'down', detail: 'check failed' };
  } finally {
    clearTimeout(timer);
  }
};
