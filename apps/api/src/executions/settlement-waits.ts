import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StreamHub } from '../streaming/stream-hub.js';
import { isSettled } from './execution-view.js';

/** Waiting for executions to settle, without a connection or a query of one's own. */
@Injectable()
export class SettlementWaits implements OnModuleDestroy {
  /** The process ends: whoever waits is answered with the present state. */
  over = false;
  private readonly waiting = new Set<() => void>();

  constructor(@Inject(StreamHub) private readonly hub: StreamHub) {}

  /** Resolves when the execution has probably settled or is gone, the time is over, or the caller has left. */
  until(id: string, millis: number, left: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        unwatch();
        this.waiting.delete(done);
        clearTimeout(timer);
        left.removeEventListener('abort', done);
        resolve();
      };
      const unwatch = this.hub.board.watch(id, {
        seen: (row) => {
          if (row === null || isSettled(row)) done();
        },
        rung: () => done(),
      });
      const timer = setTimeout(done, millis);
      this.waiting.add(done);
      left.addEventListener('abort', done, { once: true });
      if (left.aborted) done();
    });
  }

  onModuleDestroy(): void {
    this.over = true;
    for (const done of this.waiting) done();
  }
}
