import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { isRefusedData, isTransient } from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { Problem, problemDocument, type ProblemDetails } from './problem.js';

/** Turns everything that is thrown into a problem document. What is not ours is logged and told without any detail. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const details = this.detailsOf(error, request);
    if (response.headersSent) {
      // An answer that breaks off in the middle must not look complete.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(details.headers ?? {})) response.setHeader(name, value);
    response.status(details.status).setHeader('content-type', 'application/problem+json; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    response.end(JSON.stringify(problemDocument(details)));
  }

  private detailsOf(error: unknown, request: Request): ProblemDetails {
    if (error instanceof Problem) return error.details;
    if (isTransient(error) || isWithoutSchema(error)) return unavailable;
    if (error instanceof HttpException) return this.ofHttp(error, request);
    if (error instanceof URIError) return malformedPath;
    if (isRefusedData(error)) {
      this.logger.warn({ err: error, path: request.path }, 'the database refused a value');
      return refusedData;
    }
    this.logger.error({ err: error, method: request.method, path: request.path }, 'request failed');
    return { status: 500, code: 'INTERNAL.ERROR', detail: 'something went wrong here; the log has the details' };
  }

  private ofHttp(error: HttpException, request: Request): ProblemDetails {
    const status = error.getStatus();
    if (status === 404) {
      const allow = allowedMethods(request);
      if (allow.length > 0)
        return {
          status: 405,
          code: 'REQUEST.METHOD_NOT_ALLOWED',
          detail: `${request.method} is not possible here`,
          headers: { allow: allow.join(', ') },
        };
      return { status: 404, code: 'REQUEST.ROUTE_UNKNOWN', detail: 'there is nothing at this path' };
    }
    if (status >= 500) this.logger.error({ err: error, path: request.path }, 'request failed');
    return { status, code: 'REQUEST.REFUSED', detail: status >= 500 ? 'something went wrong here' : error.message };
  }
}

/** The schema has not been made yet: somebody is about to migrate it. */
function isWithoutSchema(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === '42P01' || code === '3F000';
}

const unavailable: ProblemDetails = {
  status: 503,
  code: 'DATABASE.UNAVAILABLE',
  detail: 'the database cannot be asked at the moment; nothing was changed, or it can be asked for again',
  headers: { 'retry-after': '2' },
};
const malformedPath: ProblemDetails = {
  status: 400,
  code: 'REQUEST.PATH',
  detail: 'the path is not percent-encoded UTF-8',
};
const refusedData: ProblemDetails = {
  status: 422,
  code: 'REQUEST.INVALID',
  detail: 'a value of the request cannot be stored',
};
