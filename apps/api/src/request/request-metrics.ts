import type { Metrics } from '@app/runtime';
import type { NextFunction, Request, Response } from 'express';

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** Times every answered request by its route, not by its path: ids must not become labels. */
export function requestMetrics(metrics: Metrics) {
  const duration = metrics.histogram<'method' | 'route' | 'status'>({
    name: 'fanfold_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labels: ['method', 'route', 'status'],
    buckets,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      const labels = {
        method: request.method,
        route: typeof route === 'string' ? route : 'none',
        status: String(response.statusCode),
      };
      duration.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
}
