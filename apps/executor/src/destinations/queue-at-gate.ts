import type { Clock } from '@app/runtime';

/** How long a call stands in line with its slot in hand, before its task is put back. */
const patienceMs = 3_000;
const lookEveryMs = 100;
const fewPlaces = 16;

export interface InLine {
  readonly destinations: readonly number[];
  readonly signal: AbortSignal;
  /** Monotonic milliseconds at which it came. */
  readonly since: number;
}

/**
 * Calls that wait here for a place, so that one that is freed is taken at once. There are at most as many in line for a
 * destination as it has places (four times as many where these are few), and none for long: the slots are there for other
 * work.
 */
export class QueueAtGate<T extends InLine> {
  private waiting: T[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly onTurn: (calls: readonly T[]) => void,
  ) {}

  /** False where it may not stand in line. */
  join(call: T, places: number): boolean {
    if (call.signal.aborted || this.clock.monotonic() - call.since >= patienceMs) return false;
    const ahead = this.waiting.filter((other) => other.destinations.some((id) => call.destinations.includes(id)));
    if (ahead.length >= Math.max(places, Math.min(fewPlaces, places * 4))) return false;
    this.waiting.push(call);
    this.timer ??= setTimeout(() => this.ring(), lookEveryMs);
    return true;
  }

  /** Everybody in line asks again, the longest there first. */
  ring(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const calls = this.waiting.splice(0).sort((a, b) => a.since - b.since);
    if (calls.length > 0) this.onTurn(calls);
  }
}
