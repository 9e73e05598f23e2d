import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import {
  chargeRate,
  costOf,
  ExpressionFailure,
  type Fit,
  fitting,
  hasMapping,
  mostAtOnce,
  type Outcome,
  type PlannedNode,
  rateWaitMs,
  spareMs,
  type Scope,
  type Template,
} from '@app/domain';
import type {
  Charge,
  ClaimedRow,
  ClaimStore,
  DestinationInForce,
  DestinationLimitStore,
  PeekedRow,
  Tx,
  VersionedPlan,
} from '@app/persistence';
import type { Clock } from '@app/runtime';
import { startByOf } from '../destinations/start-by.js';
import { Headroom } from './headroom.js';
import { scopeOf, type Upstream } from './task-scope.js';

/** Places at this executor. */
export interface Places {
  readonly most: number;
  /** Of these, where a task begins at once. */
  readonly prompt: number;
  /** Few claims are on their way: nothing is won by making one transaction of several. */
  readonly quiet: boolean;
}

/** What the destinations of a hand-out have room for, decided under their rows. */
export interface ClaimRoom {
  readonly destinations: readonly DestinationInForce[];
  readonly count: number;
  /** The last task that may be claimed, where costs decide how many fit. */
  readonly lastId: string | null;
  readonly by: { readonly destination: number; readonly waitMs: number | null } | null;
  /** There is room, and no slot in which a task would begin at once. */
  readonly crowded: boolean;
  /** Monotonic milliseconds; a task that has not begun by then gives its claim back. Null: whenever. */
  readonly startBy: number | null;
  /** Tasks that can never be called, with the reason. */
  readonly refusals: ReadonlyMap<string, Outcome>;
  readonly costs: ReadonlyMap<string, readonly number[]>;
}

export const unlimited: ClaimRoom = {
  destinations: [],
  count: Infinity,
  lastId: null,
  by: null,
  crowded: false,
  startBy: null,
  refusals: new Map(),
  costs: new Map(),
};

/** Of a claim that found nothing. */
export const noRoom: ClaimRoom = { ...unlimited, count: 0 };

/** Before every id. */
const nobody = '00000000-0000-0000-0000-000000000000';

interface Costed {
  readonly id: string;
  readonly costs: readonly number[];
  readonly refusal: Outcome | null;
}

/**
 * How much of a hand-out may be claimed. All destinations that its tasks call must have room; the fullest decides. What a task
 * costs depends on its item, so where a template says it, the items are read first, in one statement for all.
 *
 * Promise (I9): limits are looked at after the rows of the destinations are locked, and what is started is counted in the same
 * transaction; so no two claims take the same room, and a claim that is rolled back has taken none.
 */
export class ClaimRooms {
  private readonly headroom: Headroom;

  constructor(
    private readonly claims: ClaimStore,
    private readonly limits: DestinationLimitStore,
    private readonly clock: Clock,
  ) {
    this.headroom = new Headroom(clock);
  }

  /** Destinations of a hand-out that had far more room than it needs a moment ago, or none; null: they are to be looked at first. */
  ample(handout: HandoutMessage, places: Places): readonly number[] | null {
    if (handout.destinations.length === 0) return [];
    return places.prompt > 0 ? this.headroom.of(handout) : null;
  }

  async look(
    tx: Tx,
    handout: HandoutMessage,
    at: VersionedPlan,
    node: PlannedNode,
    places: Places,
  ): Promise<ClaimRoom> {
    if (handout.destinations.length === 0) return { ...unlimited, count: places.most };
    const askedAt = this.clock.monotonic();
    const destinations = await this.claims.lockDestinations(tx, handout.destinations);
    this.headroom.note(handout, destinations, []);
    if (destinations.length === 0) return { ...unlimited, count: places.most };
    const rates = destinations.filter((d) => d.rate !== null);
    if (rates.length === 0)
      return {
        ...unlimited,
        destinations,
        ...decided(
          fitting(destinations, places.most, () => 0),
          destinations,
        ),
      };
    const startBy = startByOf(destinations, askedAt);
    const templates = destinations.map((d) => templateOf(d, node));
    const most = Math.min(places.most, places.prompt);
    const without = fitting(destinations, places.most, (_, position) => constantCost(templates[position]!));
    const crowded = most <= 0 && without.count > 0;
    if (crowded || without.count === 0)
      return { ...unlimited, destinations, ...decided(without, destinations), count: 0, crowded };
    const count = Math.min(most, without.count);
    if (areKnown(templates, destinations)) {
      const fit = fitting(destinations, most, (_, position) => constantCost(templates[position]!));
      return { ...unlimited, destinations, ...decided(fit, destinations), startBy };
    }
    const costed = await this.cost(tx, handout, at, node, destinations, templates, count);
    // Nothing is ready of it: the claim finds the same, and lets the hand-out go.
    if (costed.length === 0) return { ...unlimited, destinations, count: handout.size, lastId: nobody };
    return { ...this.fit(destinations, costed, most), startBy };
  }

  /**
   * Whether what was claimed before anybody looked fits, of hand-outs for the same destinations: it holds its places already,
   * uncommitted, and what others hold is seen once the rows are locked. Counts it against the rates.
   * @returns one for each hand-out; null: it does not fit, and must be rolled back
   */
  async confirm(tx: Tx, claims: readonly ClaimedAhead[], expected: readonly number[]): Promise<ClaimRoom[] | null> {
    const { handout } = claims[0]!;
    if (handout.destinations.length === 0) return claims.map(({ rows }) => ({ ...unlimited, count: rows.length }));
    const askedAt = this.clock.monotonic();
    const destinations = await this.claims.lockDestinations(tx, handout.destinations);
    if (destinations.length !== expected.length || destinations.some((d, i) => d.id !== expected[i])) return null;
    const priced = claims.map((claim) => pricedOf(claim, destinations));
    const all = priced.flat();
    const tasks = all.length;
    const before = destinations.map((d) => ({ ...d, held: d.held - tasks }));
    if (fitting(before, tasks, (task, position) => all[task]!.costs[position]!).by !== null) return null;
    const calls = tasks - all.filter((one) => one.refusal).length;
    const charged = destinations.flatMap((d, position) => {
      if (d.rate === null) return [];
      const units = all.reduce((sum, { costs }) => sum + costs[position]!, 0);
      const laterMs = spareMs(d.rate, d.rateState, d.now, units);
      return [{ charge: chargeOf(d, units, calls, 1, laterMs), laterMs }];
    });
    const charges = charged.map(({ charge }) => charge);
    this.headroom.note(handout, destinations, charges);
    await this.limits.charge(tx, charges);
    const startBy = startByOf(destinations, askedAt, Math.min(...charged.map(({ laterMs }) => laterMs)));
    return claims.map(({ rows }, i) => ({
      ...unlimited,
      destinations,
      count: rows.length,
      startBy,
      refusals: refusalsOf(priced[i]!),
      costs: costsOf(priced[i]!),
    }));
  }

  /** What claimed tasks count against the rates: these, or as many as there is room for. */
  chargesOf(room: ClaimRoom, node: PlannedNode, claimed?: readonly { readonly id: string }[]): Charge[] {
    const ids = claimed?.map(({ id }) => id) ?? [...room.costs.keys()].slice(0, room.count);
    const tasks = room.costs.size === 0 && !claimed ? room.count : ids.length;
    const calls = tasks - ids.filter((id) => room.refusals.has(id)).length;
    return room.destinations.flatMap((d, position) => {
      if (d.rate === null) return [];
      const each = constantCost(templateOf(d, node));
      const units =
        room.costs.size === 0 ? tasks * each : ids.reduce((sum, id) => sum + (room.costs.get(id)?.[position] ?? 0), 0);
      return [chargeOf(d, units, calls, each)];
    });
  }

  /** What a claimed task costs at destinations with a rate. */
  unitsOf(room: ClaimRoom, node: PlannedNode, id: string): { destination: number; units: number }[] {
    return room.destinations.flatMap((d, position) =>
      d.rate === null
        ? []
        : [{ destination: d.id, units: room.costs.get(id)?.[position] ?? constantCost(templateOf(d, node)) }],
    );
  }

  /** Fewer were claimed than there was room for: only these count. */
  async recount(
    tx: Tx,
    room: ClaimRoom,
    node: PlannedNode,
    claimed: readonly { readonly id: string }[],
  ): Promise<void> {
    await this.limits.charge(tx, this.chargesOf(room, node, claimed));
  }

  private fit(destinations: readonly DestinationInForce[], costed: readonly Costed[], most: number): ClaimRoom {
    const fit = fitting(
      destinations,
      Math.min(costed.length, most),
      (task, position) => costed[task]!.costs[position]!,
    );
    return {
      ...unlimited,
      destinations,
      ...decided(fit, destinations),
      lastId: fit.count < costed.length && fit.count > 0 ? costed[fit.count - 1]!.id : null,
      refusals: refusalsOf(costed),
      costs: costsOf(costed),
    };
  }

  private async cost(
    tx: Tx,
    handout: HandoutMessage,
    at: VersionedPlan,
    node: PlannedNode,
    destinations: readonly DestinationInForce[],
    templates: readonly (Template | null)[],
    most: number,
  ): Promise<Costed[]> {
    const rows = await this.claims.peek(tx, handout, most);
    const names = new Set(templates.flatMap((template) => template?.references.nodes ?? []));
    const isMapped = hasMapping(node);
    const nodes = at.plan.nodes.filter((n) => (isMapped ? n.rank < node.rank : names.has(n.id))).map((n) => n.index);
    const ids = rows.map((row) => row.id);
    const upstream: Upstream = nodes.length === 0 ? new Map() : await this.claims.upstream(tx, ids, nodes);
    return rows.map((row) => costed(row, scopeOf(row, handout, at, upstream), destinations, templates));
  }
}

/** What was claimed of a hand-out before anybody looked. */
export interface ClaimedAhead {
  readonly handout: HandoutMessage;
  readonly at: VersionedPlan;
  readonly rows: readonly ClaimedRow[];
}

function pricedOf({ handout, at, rows }: ClaimedAhead, destinations: readonly DestinationInForce[]): Costed[] {
  const node = at.plan.nodes[handout.node]!;
  const templates = destinations.map((d) => templateOf(d, node));
  if (areKnown(templates, destinations)) {
    const costs = templates.map(constantCost);
    return rows.map(({ id }) => ({ id, costs, refusal: null }));
  }
  return rows.map((row) => costed(row, scopeOf(row, handout, at, new Map()), destinations, templates));
}

function chargeOf(d: DestinationInForce, units: number, calls: number, usually: number, laterMs = 0): Charge {
  const state = chargeRate(d.rate!, d.rateState, d.now, units, calls, laterMs);
  return { destination: d.id, state, waitMs: rateWaitMs(d.rate!, state, d.now, state.meanCost ?? usually) };
}

function costed(
  row: Pick<PeekedRow, 'id'>,
  scope: Scope,
  destinations: readonly DestinationInForce[],
  templates: readonly (Template | null)[],
): Costed {
  try {
    const costs = destinations.map((d, i) => {
      const template = templates[i]!;
      if (d.rate === null) return 0;
      const cost = template === null ? 1 : costOf(template, d.name, scope);
      if (cost > mostAtOnce(d.rate)) throw new TooMuch(d.name, cost, mostAtOnce(d.rate));
      return cost;
    });
    return { id: row.id, costs, refusal: null };
  } catch (error) {
    return { id: row.id, costs: destinations.map(() => 0), refusal: refusalOf(error) };
  }
}

/** A call that costs more than may ever start at once. */
class TooMuch extends Error {
  constructor(destination: string, cost: number, most: number) {
    super(`the call costs ${cost} units of the destination ${destination}, which allows ${most} at once`);
  }
}

function refusalOf(error: unknown): Outcome {
  const failed = (code: string, message: string, facts: Record<string, unknown> = {}): Outcome => ({
    kind: 'failed',
    class: 'PERMANENT',
    error: { class: 'PERMANENT', code, message, ...facts },
  });
  if (error instanceof TooMuch) return failed('DESTINATION.COST_TOO_HIGH', error.message);
  if (!(error instanceof ExpressionFailure)) throw error;
  const { code, message, expression, path, itemIndex } = error;
  return failed(code, message, { expression, path, ...(itemIndex === undefined ? {} : { itemIndex }) });
}

function refusalsOf(costed: readonly Costed[]): ReadonlyMap<string, Outcome> {
  return new Map(costed.flatMap(({ id, refusal }) => (refusal ? [[id, refusal] as const] : [])));
}

function costsOf(costed: readonly Costed[]): ReadonlyMap<string, readonly number[]> {
  return new Map(costed.map(({ id, costs }) => [id, costs]));
}

function decided(fit: Fit, destinations: readonly DestinationInForce[]): Pick<ClaimRoom, 'count' | 'by'> {
  const by = fit.by && { destination: destinations[fit.by.position]!.id, waitMs: fit.by.waitMs };
  return { count: fit.count, by };
}

function templateOf(d: DestinationInForce, node: PlannedNode): Template | null {
  return d.rate === null ? null : (node.destinations.find(({ name }) => name === d.name)?.cost ?? null);
}

/** Whether each call costs the same, and no more than may start at once. */
function areKnown(templates: readonly (Template | null)[], destinations: readonly DestinationInForce[]): boolean {
  return templates.every((template, i) => {
    const { rate } = destinations[i]!;
    const most = rate === null ? Infinity : mostAtOnce(rate);
    return constantCost(template) <= most && (template === null || template.isConstant);
  });
}

/** Units a call costs without a look at its item: one, or what the definition says; 0 where a template must be asked. */
function constantCost(template: Template | null): number {
  if (template === null) return 1;
  if (template.constantText === null) return 0;
  return Number(template.constantText.startsWith('"') ? JSON.parse(template.constantText) : template.constantText);
}
