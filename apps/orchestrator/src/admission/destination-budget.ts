import { callsAhead, readRate, readRateState } from '@app/domain';
import type { DestinationRoom } from '@app/persistence';

/** A limited destination gets at most this many times its limit handed out: enough that a freed place is taken at once. */
const ahead = 1.2;
/** What is handed out beyond the limit of a small one: as many as are freed while others come from here. */
const fewAhead = 2;
/** A hand-out has at most this part of a limit. */
const partsOfLimit = 8;
/** With what nobody takes, at most this many times as much. */
const mostResting = 3;
/** A rate gets handed out what it allows within this time. */
const rateAheadMs = 500;

/** What may still be handed out for each limited destination in this turn, by its name and its host (`host:…`). */
export function destinationBudget(rooms: readonly DestinationRoom[]): ReadonlyMap<string, number> {
  const budget = new Map<string, number>();
  for (const room of rooms) {
    const left = Math.min(placesLeft(room), callsLeft(room));
    if (left === Infinity) continue;
    for (const name of namesOf(room)) budget.set(name, Math.min(left, budget.get(name) ?? Infinity));
  }
  return budget;
}

/**
 * Most tasks of one hand-out for each limited destination, by the same names: so several executors share a limit, and a freed place
 * takes a whole hand-out.
 */
export function destinationParts(rooms: readonly DestinationRoom[]): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  for (const room of rooms) {
    if (room.limit === null) continue;
    const part = Math.max(1, Math.ceil(room.limit / partsOfLimit));
    for (const name of namesOf(room)) parts.set(name, Math.min(part, parts.get(name) ?? Infinity));
  }
  return parts;
}

function namesOf(room: DestinationRoom): string[] {
  return [room.name, ...(room.host ? [`host:${room.host}`] : [])];
}

function placesLeft({ limit, throttled, held, ready, resting }: DestinationRoom): number {
  if (limit === null && !throttled) return Infinity;
  // paused: what were handed out would only wait
  if (limit === 0) return 0;
  const most = limit === null ? 1 : Math.max(Math.ceil(limit * ahead), limit + fewAhead);
  // What rests with an executor that stands still must not keep the destination from the others; nor may it pile up.
  return Math.max(0, Math.min(most - held - (ready - resting), mostResting * most - held - ready));
}

/** What is ready waits for the rate without a slot; more of it would only wait there instead of in its turn. */
function callsLeft({ rate: text, rateState, now, ready, resting }: DestinationRoom): number {
  const rate = readRate(text);
  if (rate === null) return Infinity;
  const most = callsAhead(rate, readRateState(rateState), now, rateAheadMs);
  return Math.max(0, Math.min(most - (ready - resting), mostResting * most - ready));
}
