import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { rateRoom } from '@app/domain';
import type { Charge, DestinationInForce } from '@app/persistence';
import type { Clock } from '@app/runtime';

const freshForMs = 1_000;
const mostKnown = 500;
/** Room for so many claims of that size is ample: as many may be on their way. */
const claimsOnTheirWay = 8;

/**
 * Which destinations had far more room than a hand-out needs when they were last looked at. Only a guess at which order is
 * quicker: what is claimed is looked at under their rows all the same.
 */
export class Headroom {
  private readonly known = new Map<string, { readonly ids: readonly number[]; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** @returns ids in order; null: it is not known, or there was little room */
  of(handout: HandoutMessage): readonly number[] | null {
    const found = this.known.get(handout.destinations.join(' '));
    return found && found.until > this.clock.monotonic() ? found.ids : null;
  }

  /** What was seen under their rows, and what a claim counts against them. */
  note(handout: HandoutMessage, destinations: readonly DestinationInForce[], charges: readonly Charge[]): void {
    const key = handout.destinations.join(' ');
    this.known.delete(key);
    if (!destinations.every((d) => isAmple(d, handout.size, charges))) return;
    if (this.known.size >= mostKnown) this.known.delete(this.known.keys().next().value!);
    this.known.set(key, { ids: destinations.map((d) => d.id), until: this.clock.monotonic() + freshForMs });
  }
}

function isAmple(d: DestinationInForce, size: number, charges: readonly Charge[]): boolean {
  if (d.learns || d.throttledForMs > 0 || d.openForMs > 0) return false;
  if (d.limit !== null && d.limit - d.held < claimsOnTheirWay * size) return false;
  if (d.rate === null) return true;
  const state = charges.find((c) => c.destination === d.id)?.state ?? d.rateState;
  if (state.meanCost === null) return false;
  return rateRoom(d.rate, state, d.now) >= claimsOnTheirWay * size * state.meanCost;
}
