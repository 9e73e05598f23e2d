import { Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { METRICS, Metrics } from '../metrics/metrics.js';
import { MetricsController } from '../metrics/metrics.controller.js';
import { HealthModule } from './health.module.js';
import type { HealthReport } from './health-indicator.js';

describe('health', () => {
  const shutdown = { draining: false };
  const loop = { name: 'sweep', turning: true };
  let bus: () => Promise<HealthReport> = async () => ({ status: 'up' });
  let app: INestApplication;

  beforeAll(async () => {
    @Module({
      imports: [
        HealthModule.registerAsync({
          useFactory: () => ({ shutdown, loops: [loop], ready: [{ name: 'bus', check: () => bus() }] }),
        }),
      ],
      controllers: [MetricsController],
      providers: [{ provide: METRICS, useValue: new Metrics().collectProcess() }],
    })
    class Root {}
    app = (await Test.createTestingModule({ imports: [Root] }).compile()).createNestApplication({ logger: false });
    await app.init();
  });
  afterAll(() => app.close());

  it('is ready while everything is up, and says what is degraded with 200', async () => {
    const ready = await request(app.getHttpServer()).get('/health/ready').expect(200);
    expect(ready.body).toMatchObject({ status: 'ok', details: { bus: { status: 'up' } } });
    bus = async () => ({ status: 'degraded', detail: 'broker away' });
    const degraded = await request(app.getHttpServer()).get('/health/ready').expect(200);
    expect(degraded.body).toMatchObject({
      status: 'degraded',
      details: { bus: { status: 'degraded', detail: 'broker away' } },
    });
  });

  it('is not ready with 503 when a check is down, throws, or the process drains', async () => {
    bus = async () => ({ status: 'down' });
    await request(app.getHttpServer()).get('/health/ready').expect(503);
    bus = () => Promise.reject(new Error('password in here'));
    const thrown = await request(app.getHttpServer()).get('/health/ready').expect(503);
    expect(thrown.text).not.toContain('password');
    bus = async () => ({ status: 'up' });
    shutdown.draining = true;
    const draining = await request(app.getHttpServer()).get('/health/ready').expect(503);
    expect(draining.body.details.process).toMatchObject({ status: 'down', detail: 'shutting down' });
    await request(app.getHttpServer()).get('/health/live').expect(200);
    shutdown.draining = false;
  });

  it('lives while its loops turn, whatever its dependencies do', async () => {
    bus = async () => ({ status: 'down' });
    await request(app.getHttpServer()).get('/health/live').expect(200);
    loop.turning = false;
    await request(app.getHttpServer()).get('/health/live').expect(503);
  });

  it('serves metrics as text', async () => {
    const metrics = await request(app.getHttpServer()).get('/metrics').expect(200);
    expect(metrics.text).toContain('process_cpu_user_seconds_total');
  });
});
