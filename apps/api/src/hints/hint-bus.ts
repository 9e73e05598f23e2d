import type { Logger } from '@app/runtime';

/** What the api needs of a bus. */
export interface Hints {
  publish(queue: string, messages: readonly object[]): Promise<void>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a signal is whatever its topic says
  subscribe(topic: string, listener: (payload: any) => void): Promise<() => Promise<void>>;
  signal(topic: string, payload: object): Promise<void>;
  readonly state: 'up' | 'down' | 'blocked';
}

/** Hints to other processes. One that is lost costs a sweep interval and nothing else, so no answer waits for it. */
export class HintBus {
  constructor(
    private readonly bus: Hints,
    private readonly logger: Logger,
  ) {}

  tell(queue: string, message: object): void {
    this.bus.publish(queue, [message]).catch((err: unknown) => {
      this.logger.debug({ err, queue }, 'a hint was not sent; a sweep will find the work');
    });
  }

  /** Rings everybody who listens to the topic. */
  ring(topic: string, message: object = {}): void {
    this.bus.signal(topic, message).catch((err: unknown) => {
      this.logger.debug({ err, topic }, 'a ring was not sent; a sweep will look');
    });
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a signal is whatever its topic says
  async listen(topic: string, listener: (payload: any) => void): Promise<() => Promise<void>> {
    try {
      return await this.bus.subscribe(topic, listener);
    } catch (err) {
      this.logger.warn({ err, topic }, 'not subscribed; what it would tell is found by asking');
      return () => Promise.resolve();
    }
  }

  get state(): Hints['state'] {
    return this.bus.state;
  }
}
