import {
  ABORT_TOPIC,
  ADMISSION_TOPIC,
  CONTROL_TOPIC,
  RECORDED_QUEUE,
  SETTLED_TOPIC,
} from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import { ControlMoves, type ControlEffects, type Database } from '@app/persistence';
import type { ControlPort } from './control-port.js';

/** Control moves on the engine's own tables; what they set in motion is hinted over the bus. */
export function engineControl(database: Database, bus: Pick<Bus, 'publish' | 'signal'>): ControlPort {
  const tell = (effects: ControlEffects): void => {
    const hints: Promise<unknown>[] = [bus.signal(CONTROL_TOPIC, {}), bus.signal(ADMISSION_TOPIC, {})];
    if (effects.batches.length > 0)
      hints.push(
        bus.publish(
          RECORDED_QUEUE,
          effects.batches.map((batch) => ({ batch, plain: false })),
        ),
      );
    const { ids, roots, fanOuts } = effects.abort;
    if (ids || roots || fanOuts) hints.push(bus.signal(ABORT_TOPIC, effects.abort));
    if (effects.paused) hints.push(bus.signal(ABORT_TOPIC, { pausedRoots: effects.paused }));
    if (ids || roots) hints.push(bus.signal(SETTLED_TOPIC, { ids: ids ?? roots }));
    for (const hint of hints) void hint.catch(() => undefined);
  };
  const moves = new ControlMoves(database, tell);
  return {
    pause: (id, options) => moves.pause(id, options),
    resume: (id) => moves.resume(id),
    release: (id) => moves.release(id),
    cancel: (id, options) => moves.cancel(id, options),
    retry: (id, options) => moves.retry(id, options),
    redrive: (id, filter) => moves.redrive(id, filter),
    patchFanOut: (id, node, change) => moves.patchFanOut(id, node, change),
    pauseFanOut: (id, node) => moves.pauseFanOut(id, node),
    resumeFanOut: (id, node) => moves.resumeFanOut(id, node),
    cancelFanOut: (id, node) => moves.cancelFanOut(id, node),
    remove: (id) => moves.remove(id),
    signal: (id, name, body) => moves.signal(id, name, body),
  };
}
