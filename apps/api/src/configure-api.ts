import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { ApiKeyStore, AuditStore } from '@app/persistence';
import { AuditLog } from './access/audit-log.js';
import { AuditInterceptor } from './access/audit.interceptor.js';
import { authentication } from './access/authentication.middleware.js';
import { RoleGuard } from './access/role.guard.js';
import { API_OPTIONS, type ApiOptions } from './api.module.js';
import { apiDocument } from './docs/api-document.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { RequestKeys } from './idempotency/request-keys.js';
import { ProblemFilter } from './problem/problem.filter.js';
import { AnswerInterceptor } from './request/answer.interceptor.js';
import { bodyReader } from './request/body.middleware.js';
import { requestMetrics } from './request/request-metrics.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import { lastAnswers } from './request/last-answers.middleware.js';
import { pathCheck } from './request/path.middleware.js';

/** How an app that holds the `ApiModule` is created: bodies are read by the api itself, as exact text. */
export const apiAppOptions = { bodyParser: false } satisfies NestApplicationOptions;

/** Long uploads and streams are allowed; a request's headers are not waited for for ever. */
const headersTimeoutMillis = 80_000;
/** Longer than load balancers keep a connection, so that it is they who close it. */
const keepAliveMillis = 75_000;

/** Everything a request passes through before and after its handler. To be called before the app listens. */
export function configureApi(app: NestExpressApplication): NestExpressApplication {
  const options = app.get<ApiOptions>(API_OPTIONS, { strict: false });
  const { database, logger } = options;
  const server = app.getHttpServer() as Server;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(lastAnswers(server));
  if (options.metrics) app.use(requestMetrics(options.metrics));
  app.use(pathCheck);
  app.use(authentication(options.apiKey, database, app.get(ApiKeyStore, { strict: false })));
  app.use(bodyReader(options.bodyLimitBytes));
  app.useGlobalFilters(new ProblemFilter(logger));
  app.useGlobalGuards(new RoleGuard(app.get(Reflector)));
  app.useGlobalInterceptors(
    new AuditInterceptor(new AuditLog(database, app.get(AuditStore, { strict: false })), logger),
    new IdempotencyInterceptor(app.get(RequestKeys, { strict: false }), database),
    new AnswerInterceptor(),
  );
  server.requestTimeout = 0;
  server.headersTimeout = headersTimeoutMillis;
  server.keepAliveTimeout = keepAliveMillis;
  serveDocs(app);
  if (options.dashboardDir) serveDashboard(app, options.dashboardDir);
  return app;
}

function serveDocs(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => apiDocument(app), { jsonDocumentUrl: 'docs-json' });
}
