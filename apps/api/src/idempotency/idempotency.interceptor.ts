import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Database } from '@app/persistence';
import type { Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { ApiRequest } from '../request/api-request.js';
import type { RequestKeys } from './request-keys.js';

/**
 * Gives a repeated POST its first answer again. A refused request changed nothing, so its key is let go and the
 * repetition is judged anew.
 */
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: RequestKeys,
    private readonly database: Database,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const streamed = request.bodyText === undefined;
    if (request.method !== 'POST' || !request.path.startsWith('/v1') || streamed) return next.handle();
    return from(this.answer(request, response, next));
  }

  private async answer(request: ApiRequest, response: Response, next: CallHandler): Promise<unknown> {
    const taken = await this.keys.claim(request);
    if (taken === null) return lastValueFrom(next.handle(), { defaultValue: undefined });
    if ('known' in taken) return replay(response, taken.known.status!, taken.known.response ?? '');
    const { claim } = taken;
    request.claim = claim;
    try {
      const text: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      if (!claim.completed)
        await claim.completeWith(this.database.any, response.statusCode, typeof text === 'string' ? text : '');
      this.keys.done(claim);
      return text;
    } catch (error) {
      await this.keys.release(claim).catch(() => undefined);
      throw error;
    }
  }
}

/** The first answer again, marked as such. */
export function replay(response: Response, status: number, text: string): string {
  response.setHeader('idempotent-replayed', 'true');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.status(status);
  return text;
}
