import type { DestinationRoom, WaitingComeback } from '@app/persistence';

/** A limited destination gets at most this many times its limit handed out: enough that a freed place is taken at once. */
const ahead = 1.2;

/** What may still be handed out for each limited destination in this turn. */
export class DestinationBudget {
  private readonly left = new Map<string, number>();

  constructor(rooms: readonly DestinationRoom[]) {
    for (const room of rooms) {
      if (room.limit === null && !room.throttled) continue;
      const most = room.throttled && room.limit === null ? 1 : Math.ceil((room.limit ?? 1) * ahead);
      const left = Math.max(0, most - room.held - room.ready);
      for (const name of [room.name, ...(room.host ? [`host:${room.host}`] : [])])
        this.left.set(name, Math.min(left, this.left.get(name) ?? Infinity));
    }
  }

  /** Takes up to `wanted` for tasks of these destinations; all of them must have room. @returns how many */
  take(names: readonly string[], wanted: number): number {
    const room = names.reduce((least, name) => Math.min(least, this.left.get(name) ?? Infinity), wanted);
    for (const name of names) {
      const left = this.left.get(name);
      if (left !== undefined) this.left.set(name, left - room);
    }
    return room;
  }

  filter(comebacks: readonly WaitingComeback[]): WaitingComeback[] {
    return comebacks.filter((c) => this.take(c.destinations, 1) === 1);
  }
}
