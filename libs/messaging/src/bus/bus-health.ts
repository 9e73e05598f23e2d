import type { HealthIndicator } from '@app/runtime';
import type { QueueServer } from '../delivery/queue-server.js';
import type { Bus } from './bus.js';

/**
 * Reads the live connection and opens none.
 *
 * @param away what an absent bus means for the process: `down` where it cannot work without, `degraded` where it can
 */
export const busHealth = (bus: Pick<Bus, 'state'>, away: 'down' | 'degraded'): HealthIndicator => ({
  name: 'bus',
  check: async () => {
    if (bus.state === 'up') return { status: 'up' };
    // A blocked broker still delivers, so what consumes goes on; only publishing waits.
    return bus.state === 'blocked'
      ? { status: 'degraded', detail: 'the broker accepts no messages for now' }
      : { status: away, detail: 'not connected' };
  },
});

/** Down while a queue of this process has no consumer: connected is not served. */
export const consumersHealth = (strategy: Pick<QueueServer, 'unestablished'>): HealthIndicator => ({
  name: 'consumers',
  check: async () => {
    const missing = strategy.unestablished;
    return missing.length === 0 ? { status: 'up' } : { status: 'down', detail: `not consumed: ${missing.join(', ')}` };
  },
});
