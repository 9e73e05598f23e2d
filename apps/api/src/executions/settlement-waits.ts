import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StreamHub } from '../streaming/stream-hub.js';
import { isSettled } from './execution-view.js';

/** One caller who waits for one execution, until it ends that. */
export class SettlementWait {
  isOver = false;
  private hasMoved = false;
  private wake: (() => void) | null = null;

  constructor(private readonly atEnd: () => void) {}

  /** Resolves when the execution has probably settled or is gone, at once if that was so since it was asked last; and when waiting is over. */
  async moved(): Promise<void> {
    if (!this.hasMoved && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    this.hasMoved = false;
  }

  tell(): void {
    this.hasMoved = true;
    this.wake?.();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.atEnd();
    this.wake?.();
  }
}

/** Waiting for executions to settle, without a connection or a query of one's own. */
@Injectable()
export class SettlementWaits implements OnModuleDestroy {
  private readonly waiting = new Set<SettlementWait>();
  private closed = false;

  constructor(@Inject(StreamHub) private readonly hub: StreamHub) {}

  /** Waiting is over after that time, when its caller ends it, and when the process ends. */
  begin(id: string, millis: number): SettlementWait {
    const wait = new SettlementWait(() => {
      unwatch();
      clearTimeout(timer);
      this.waiting.delete(wait);
    });
    const unwatch = this.hub.board.watch(id, {
      seen: (row) => {
        if (row === null || isSettled(row)) wait.tell();
      },
      rung: () => wait.tell(),
    });
    const timer = setTimeout(() => wait.end(), millis);
    this.waiting.add(wait);
    if (this.closed) wait.end();
    return wait;
  }

  onModuleDestroy(): void {
    this.closed = true;
    for (const wait of this.waiting) wait.end();
  }
}
