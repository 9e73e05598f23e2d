import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Logger } from '@app/runtime';
import type { Response } from 'express';
import { concatMap, type Observable } from 'rxjs';
import { auditEntryOf } from './audit-entry.js';
import type { AuditLog } from './audit-log.js';
import type { ApiRequest } from '../request/api-request.js';

/** Writes an audit entry for every call that changed something. Replays and refusals changed nothing. */
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly audit: AuditLog,
    private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (request.method === 'GET' || request.method === 'HEAD' || !request.path.startsWith('/v1')) return next.handle();
    return next.handle().pipe(
      concatMap(async (value: unknown) => {
        const isWritten = request.isAudited || response.getHeader('idempotent-replayed') !== undefined;
        if (!isWritten) await this.add(request, response);
        return value;
      }),
    );
  }

  private async add(request: ApiRequest, response: Response): Promise<void> {
    const location = response.getHeader('location');
    const entry = auditEntryOf(request, response.statusCode, typeof location === 'string' ? location : request.path);
    try {
      await this.audit.add(entry);
    } catch (err) {
      // The change is committed; its answer must not turn into an error now.
      this.logger.error({ err, actor: request.caller.keyId, target: entry.target }, 'an audit entry was not written');
    }
  }
}
