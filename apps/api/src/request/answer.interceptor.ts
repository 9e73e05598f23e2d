import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { writeJson } from '../json/json-text.js';
import { Answer } from './answer.js';

/** Writes what a handler returned as JSON text, exact payloads included. A handler that answers by itself returns nothing. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    const path = context.switchToHttp().getRequest<{ path: string }>().path;
    if (!path.startsWith('/v1')) return next.handle();
    return next.handle().pipe(
      map((value: unknown) => {
        if (value === undefined || response.headersSent) return value;
        const answer = value instanceof Answer ? value : new Answer(200, value);
        for (const [name, header] of Object.entries(answer.headers)) response.setHeader(name, header);
        response.status(answer.status).setHeader('content-type', 'application/json; charset=utf-8');
        if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-store');
        return writeJson(answer.body);
      }),
    );
  }
}
