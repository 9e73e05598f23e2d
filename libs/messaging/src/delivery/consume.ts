import { applyDecorators, Catch, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';
import type { QueueOptions } from './queue-options.js';

/** What a decorated handler declares: its queue, and how it is consumed. */
export interface ConsumeOptions extends QueueOptions {
  readonly queue: string;
}

// Nest's own filter would replace every error by "Internal server error" before the strategy can log it.
@Catch()
class KeepError implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Hands the messages of a queue to a method, as an array of payloads: `@Consume('task.recorded', { queue, batch })`.
 *
 * @param name the message, unique among the handlers of a process
 */
export const Consume = (name: string, options: ConsumeOptions): MethodDecorator =>
  applyDecorators(EventPattern<string>(name, { ...options }), UseFilters(new KeepError()));
