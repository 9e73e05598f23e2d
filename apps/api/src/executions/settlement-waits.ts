import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StreamHub } from '../streaming/stream-hub.js';
import { isSettled } from './execution-view.js';

/** Waiting for executions to settle, without a connection or a query of one's own. */
@Injectable()
export class SettlementWaits implements OnModuleDestroy {
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(StreamHub) private readonly hub: StreamHub) {}

  /** Resolves when the execution has settled or is gone, the time is over, or the caller has left. */
  until(id: string, millis: number, left: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        unwatch();
        this.waiting.delete(done);
        clearTimeout(timer);
        left.removeEventListener('abort', done);
        resolve();
      };
      const unwatch = this.hub.board.watch(id, (row) => {
        if (row === null || isSettled(row)) done();
      });
      const timer = setTimeout(done, millis);
      this.waiting.add(done);
      left.addEventListener('abort', done, { once: true });
      if (left.aborted) done();
    });
  }

  /** A process that ends answers everybody who waits with the present state. */
  onModuleDestroy(): void {
    for (const done of this.waiting) done();
  }
}
