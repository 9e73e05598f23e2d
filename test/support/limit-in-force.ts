interface Change {
  readonly at: number;
  readonly inFlight: number;
}

/** Which limit was in force when, and what was in flight then. */
export class LimitInForce {
  private readonly limits: { at: number; limit: number }[] = [];

  /** From now on. A higher one is to be noted before it is set, a lower one after. */
  is(limit: number): void {
    this.limits.push({ at: performance.now(), limit });
  }

  /** The highest that was in force within `settlingMs` before that moment. */
  private allowedAt(at: number, settlingMs: number): number {
    const inForce = this.limits.filter((one, i) => {
      const until = this.limits[i + 1]?.at ?? Number.POSITIVE_INFINITY;
      return one.at <= at && until >= at - settlingMs;
    });
    return Math.max(...inForce.map(({ limit }) => limit));
  }

  /** Moments at which more was in flight than allowed. */
  breaches(changes: readonly Change[], settlingMs: number): { at: number; inFlight: number; allowed: number }[] {
    return changes
      .map(({ at, inFlight }) => ({ at, inFlight, allowed: this.allowedAt(at, settlingMs) }))
      .filter(({ inFlight, allowed }) => inFlight > allowed);
  }

  /** The part of the time at which the limit was used to the full. */
  shareAtLimit(changes: readonly Change[], until: number, from = changes[0]!.at): number {
    const within = changes.filter(({ at }) => from <= at && at <= until);
    let full = 0;
    for (let i = 0; i + 1 < within.length; i++) {
      const { at, inFlight } = within[i]!;
      if (inFlight >= this.allowedAt(at, 0)) full += within[i + 1]!.at - at;
    }
    return full / (within.at(-1)!.at - within[0]!.at);
  }
}
