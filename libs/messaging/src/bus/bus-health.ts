import type { HealthIndicator } from '@app/runtime';
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
