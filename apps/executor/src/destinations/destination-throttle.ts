import { Troubles } from '@app/domain';
import {
  inTransaction,
  type CalledDestinations,
  type CallReport,
  type Database,
  type DestinationLimitStore,
  type LimitedDestination,
  type Opening,
  type Slowing,
} from '@app/persistence';
import { sleep, type Clock, type Logger } from '@app/runtime';
import { Gathering } from './gathering.js';
import type { LimitedDestinations } from './limited-destinations.js';
import type { Target } from './target.js';

const restMs = 50;
const tries = 5;
const mostTargets = 1_000;

/**
 * How a call ended, for its destination: `answered` (also where the answer is a refusal of this request), `busy` (429, and 503
 * with Retry-After), `failing` (network, other 5xx), `late` (timed out).
 */
export type CallEnd = 'answered' | 'busy' | 'failing' | 'late';

interface Report {
  readonly destination: number;
  readonly end: CallEnd;
  readonly tookMs: number;
  /** Monotonic milliseconds at which it began. */
  readonly began: number;
}

/**
 * Moves the limits of destinations by what their calls tell.
 *
 * How a destination moves: an answer 429, or 503 with Retry-After, makes it wait (`throttled_until`) and sets its ramp to
 * one call at a time. Once the wait is over, each flush in which calls to it were answered doubles the ramp; where that reaches
 * its limit the ramp is gone. Where calls keep failing its breaker opens, for longer each time, and one probe at a time decides
 * whether it closes. One that finds its limit by itself is made narrower by what is refused and wider by what is not. Claims and
 * admission honour all of it.
 *
 * Whatever arrives while a flush is on its way is one statement. Dying before a flush loses it: other calls hear the same
 * answer and say so again, and the snoozed task itself waits by its own row.
 */
export class DestinationThrottle {
  private readonly slowings: Gathering<Slowing>;
  private readonly openings: Gathering<Opening & { readonly began: number }>;
  private readonly answers: Gathering<number>;
  private readonly reports: Gathering<Report>;
  private readonly troubles = new Map<string, Troubles>();

  constructor(
    private readonly database: Database,
    private readonly store: DestinationLimitStore,
    private readonly limited: LimitedDestinations,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.slowings = new Gathering(restMs, clock, (batch) => this.flushSlowings(batch));
    this.openings = new Gathering(restMs, clock, (batch) => this.flushOpenings(batch));
    this.answers = new Gathering(restMs, clock, (batch) => this.flushAnswers(batch));
    this.reports = new Gathering(restMs, clock, (batch) => this.flushReports(batch));
  }

  /**
   * The destination is not to be called for that long.
   * @param itself it named the time
   */
  slow(target: Target, waitMs: number, itself: boolean): void {
    const called = calledOf(target);
    if (called) this.slowings.add({ ...called, waitMs: Math.ceil(waitMs), itself });
  }

  /**
   * A call has ended.
   * @param began monotonic milliseconds
   * @param learns the claim has seen that the limits of its destinations move
   */
  ended(target: Target, end: CallEnd, began: number, learns: boolean): void {
    if (target.names.length === 0) return;
    if (!learns) return this.note(target, end, began, this.limited.learning(target));
    void this.limited.learningNow(target).then((known) => this.note(target, end, began, known));
  }

  private note(target: Target, end: CallEnd, began: number, known: readonly LimitedDestination[]): void {
    const now = this.clock.monotonic();
    const isOpen = known.some((d) => d.open);
    if (end === 'answered') this.answers.add(...known.filter((d) => d.ramping || d.open).map((d) => d.id));
    for (const { id } of known.filter((d) => d.adaptive))
      this.reports.add({ destination: id, end, tookMs: now - began, began });
    if (end === 'busy') return;
    const isFailing = end !== 'answered';
    if (!this.isTooMuch(target, isFailing, isOpen, now)) return;
    const called = calledOf(target);
    if (called) this.openings.add({ ...called, ageMs: 0, began });
  }

  /** Of an open breaker every failing call is too much: it was the probe. */
  private isTooMuch(target: Target, isFailing: boolean, isOpen: boolean, now: number): boolean {
    const keys = target.implicit === null ? target.names : [target.implicit];
    const all = keys.flatMap((key) => this.troublesOf(key, isFailing) ?? []);
    if (!isOpen) return all.map((troubles) => troubles.note(isFailing, now)).includes(true);
    for (const troubles of all) troubles.forget();
    return isFailing;
  }

  /** Null where there are none: successes alone need no memory. */
  private troublesOf(key: string, isFailing: boolean): Troubles | null {
    const known = this.troubles.get(key);
    if (known || !isFailing) return known ?? null;
    if (this.troubles.size >= mostTargets) this.troubles.delete(this.troubles.keys().next().value!);
    const troubles = new Troubles();
    this.troubles.set(key, troubles);
    return troubles;
  }

  private async flushSlowings(batch: readonly Slowing[]): Promise<void> {
    const longest = new Map<string, Slowing>();
    for (const s of batch) {
      const key = JSON.stringify([s.name, s.listed, s.itself]);
      if ((longest.get(key)?.waitMs ?? -1) < s.waitMs) longest.set(key, s);
    }
    const slowings = [...longest.values()];
    await this.attempt('destinations could not be slowed', () => this.store.slow(this.database.any, slowings));
    await this.limited.refresh();
  }

  private async flushOpenings(batch: readonly (Opening & { readonly began: number })[]): Promise<void> {
    const latest = new Map<string, Opening & { readonly began: number }>();
    for (const o of batch) {
      const key = JSON.stringify([o.name, o.listed]);
      if ((latest.get(key)?.began ?? Number.NEGATIVE_INFINITY) < o.began) latest.set(key, o);
    }
    const opened = [...latest.values()];
    this.logger.warn({ destinations: opened.map((o) => o.name ?? o.listed) }, 'destinations keep failing');
    await this.attempt('breakers could not be opened', () => {
      const now = this.clock.monotonic();
      return this.store.open(
        this.database.any,
        opened.map(({ began, ...o }) => ({ ...o, ageMs: now - began })),
      );
    });
    await this.limited.refresh();
  }

  private async flushAnswers(batch: readonly number[]): Promise<void> {
    const destinations = [...new Set(batch)].sort((a, b) => a - b);
    await this.attempt('destinations could not be sped up', () => this.store.speedUp(this.database.any, destinations));
    if (this.limited.anyOpen) await this.limited.refresh();
  }

  private async flushReports(batch: readonly Report[]): Promise<void> {
    await this.attempt('limits could not be adapted', () => {
      const reports = reportsOf(batch, this.clock.monotonic());
      return inTransaction(this.database.pool, (tx) => this.store.learn(tx, reports));
    });
  }

  private async attempt(complaint: string, write: () => Promise<void>): Promise<void> {
    for (let left = tries - 1, pause = 100; ; left--, pause *= 2)
      try {
        return await write();
      } catch (error) {
        if (left > 0) await sleep(pause);
        else return this.logger.warn({ err: error }, complaint);
      }
  }
}

/** Null: nothing is known of where the call went. */
function calledOf({ implicit, names, hosts }: Target): CalledDestinations | null {
  const listed = names.filter((name) => name !== implicit);
  return implicit === null && listed.length === 0 ? null : { name: implicit, hosts, listed };
}

function reportsOf(batch: readonly Report[], now: number): CallReport[] {
  const byDestination = new Map<number, Report[]>();
  for (const report of batch) {
    const list = byDestination.get(report.destination);
    if (list) list.push(report);
    else byDestination.set(report.destination, [report]);
  }
  return [...byDestination].map(([destination, list]) => {
    const answered = list.filter((r) => r.end === 'answered');
    const took = answered.reduce((sum, r) => sum + r.tookMs, 0);
    return {
      destination,
      successes: answered.length,
      meanMs: answered.length === 0 ? null : took / answered.length,
      refusedAgesMs: list.filter((r) => r.end === 'busy' || r.end === 'late').map((r) => now - r.began),
    };
  });
}
