/**
 * Pages of executions. A page is made by looking through ranges of ids in order, a bounded run at a time, and picking
 * what matches. When the time for one page is over it ends early, with a cursor to where the look stopped: so a filter
 * that matches three of a million costs a few short pages, and never one long statement.
 */
import { Inject, Injectable } from '@nestjs/common';
import { childIdPrefix, childIdRange, executionOutput } from '@app/domain';
import {
  ExecutionReadingStore,
  type ChildFilters,
  type ExecutionRow,
  type ExecutionStateName,
  type FanOutRow,
  type Scan,
  type ScanRange,
} from '@app/persistence';
import { API, type Api } from '../api.js';
import { exactOrNull, exactText } from '../json/json-text.js';
import { Plans } from '../pipelines/plans.js';
import { firstId, firstIdAt, idBefore, lastId } from '../request/id-range.js';
import { ExecutionReader } from './execution-reader.js';
import { executionRowView, planOf, versionsOf } from './execution-view.js';

const budgetMillis = 1_000;
const runLength = 5_000;
const maxPageBytes = 4 * 1024 * 1024;
/** Ids carry the time of a replica's clock, `since` is judged by the database's. */
const clockMarginMillis = 3_600_000;

export interface PageRequest {
  readonly limit: number;
  /** The id the page before ended at. */
  readonly after: string | null;
  readonly include: readonly ('input' | 'output')[];
}
export interface ExecutionPage {
  readonly items: unknown[];
  readonly after: string | null;
}
export type Filters = Partial<ChildFilters>;

const noFilters: ChildFilters = {
  states: null,
  versionIds: null,
  since: null,
  labels: null,
  fingerprint: null,
  text: null,
  rootId: null,
};

@Injectable()
export class ExecutionLists {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(ExecutionReader) private readonly reader: ExecutionReader,
  ) {}

  /** Top-level executions, newest first. */
  topLevel(page: PageRequest, filters: Filters): Promise<ExecutionPage> {
    const to = filters.since ? firstIdAt(new Date(filters.since.getTime() - clockMarginMillis)) : firstId;
    const scan = (range: ScanRange) =>
      this.executions.scanTopLevel(this.api.database.any, { ...noFilters, ...filters, ...range });
    return this.page(page, [[page.after ?? lastId, to]], scan);
  }

  /** Children of fan-outs, in the order of the fan-outs and of the items. */
  children(page: PageRequest, fanOuts: readonly FanOutRow[], filters: Filters): Promise<ExecutionPage> {
    const ranges = fanOuts
      .filter((fanOut) => mayHold(fanOut, filters.states ?? null))
      .map((fanOut) => childIdRange(fanOut.rootId, fanOut.id))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, last]) => page.after === null || page.after < last)
      .map(
        ([first, last]) => [page.after !== null && page.after >= first ? page.after : idBefore(first), last] as const,
      );
    return this.page(page, ranges, this.scanChildren(filters));
  }

  /** Everything below a root, fan-out by fan-out. */
  descendants(page: PageRequest, rootId: string, filters: Filters): Promise<ExecutionPage> {
    const from = page.after ?? idBefore(`${childIdPrefix(rootId, 0)}00000000`);
    const to = `${childIdPrefix(rootId, 2 ** 42 - 1)}ffffffff`;
    return this.page(page, [[from, to]], this.scanChildren({ ...filters, rootId }));
  }

  private scanChildren(filters: Filters) {
    return (range: ScanRange) =>
      this.executions.scanChildren(this.api.database.any, { ...noFilters, ...filters, ...range });
  }

  private async page(
    page: PageRequest,
    ranges: readonly (readonly [string, string])[],
    scan: (range: ScanRange) => Promise<Scan>,
  ): Promise<ExecutionPage> {
    const picked: string[] = [];
    const until = performance.now() + budgetMillis;
    for (const [from, to] of ranges) {
      let after = from;
      for (;;) {
        const pick = page.limit + 1 - picked.length;
        const found = await scan({ after, to, look: Math.max(runLength, pick), pick });
        picked.push(...found.ids);
        if (picked.length > page.limit || found.lastId === null) break;
        after = found.lastId;
        if (found.scanned < Math.max(runLength, pick)) break;
        if (performance.now() > until) return this.show(page, picked, after);
      }
      if (picked.length > page.limit) break;
    }
    return this.show(page, picked, null);
  }

  /** @param stoppedAt where the look ended although there is more, null where it came to the end or found enough */
  private async show(page: PageRequest, picked: readonly string[], stoppedAt: string | null): Promise<ExecutionPage> {
    let ids = picked.slice(0, page.limit);
    let after = picked.length > page.limit ? ids.at(-1)! : stoppedAt;
    if (page.include.length > 0 && ids.length > 1) {
      const fitting = await this.fitting(page, ids);
      if (fitting.length < ids.length) after = fitting.at(-1)!;
      ids = fitting;
    }
    const rows = new Map((await this.executions.list(this.api.database.any, { ids })).map((row) => [row.id, row]));
    const present = ids.flatMap((id) => rows.get(id) ?? []);
    const plans = await this.plans.ofAll(versionsOf(present));
    const payloads = await this.payloads(page, present);
    const open = await this.reader.descendants.openOfAll(present);
    const items = present.map((row) => ({
      ...executionRowView(row, plans),
      openDescendants: open.get(row.id) ?? 0,
      ...payloads.get(row.id),
    }));
    return { items, after };
  }

  /** The ids whose payloads fit into one page; the first one always does. */
  private async fitting(page: PageRequest, ids: readonly string[]): Promise<string[]> {
    const wanted = { input: page.include.includes('input'), output: page.include.includes('output') };
    const sizes = await this.executions.payloadSizes(this.api.database.any, { ids, ...wanted });
    const byId = new Map(sizes.map((size) => [size.id, size.bytes]));
    let bytes = 0;
    let count = 0;
    for (const id of ids) {
      bytes += byId.get(id) ?? 0;
      if (count > 0 && bytes > maxPageBytes) break;
      count++;
    }
    return ids.slice(0, count);
  }

  private async payloads(page: PageRequest, rows: readonly ExecutionRow[]): Promise<Map<string, object>> {
    const found = new Map<string, Record<string, unknown>>(rows.map((row) => [row.id, {}]));
    const { any } = this.api.database;
    if (page.include.includes('input'))
      for (const { id, input } of await this.executions.inputs(any, { ids: rows.map((row) => row.id) }))
        found.get(id)!.input = exactText(input);
    if (page.include.includes('output')) await this.addOutputs(rows, found);
    return found;
  }

  private async addOutputs(rows: readonly ExecutionRow[], found: Map<string, Record<string, unknown>>): Promise<void> {
    const plans = await this.plans.ofAll(versionsOf(rows));
    const succeeded = rows.filter((row) => row.state === 'succeeded');
    const nodes = [...new Set(succeeded.flatMap((row) => planOf(row, plans).ends))];
    const ids = succeeded.map((row) => row.id);
    const outputs = new Map<string, Map<number, string | null>>(ids.map((id) => [id, new Map()]));
    for (const { executionId, node, output } of await this.executions.outputs(this.api.database.any, { ids, nodes }))
      outputs.get(executionId)!.set(node, output);
    for (const row of rows)
      found.get(row.id)!.output =
        row.state === 'succeeded' ? exactOrNull(executionOutput(planOf(row, plans), outputs.get(row.id)!)) : null;
  }
}

/** False where the tally already says that no child is in any of the states: then nothing needs to be looked through. */
function mayHold(fanOut: FanOutRow, states: readonly ExecutionStateName[] | null): boolean {
  if (states === null) return true;
  return states.some((state) =>
    state === 'succeeded' || state === 'failed' || state === 'cancelled' ? fanOut[state] > 0 : true,
  );
}
