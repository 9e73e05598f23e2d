import { createHash } from 'node:crypto';
import {
  decodeString,
  evaluateTemplate,
  ExpressionFailure,
  jsonKind,
  nodeById,
  nodeScope,
  sliceElements,
  type Plan,
  type PlannedNode,
  type Scope,
  type SpawnerConfig,
} from '@app/domain';
import {
  inTransaction,
  type Child,
  type Database,
  type FanOutFactSource,
  type FanOutToSpawn,
  type ParentStore,
  type PlanSource,
  type SpawnStore,
  type Tx,
} from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { Hints } from '../deciding/hints.js';
import type { FrozenAnswer, FrozenInput } from './frozen-input.js';
import type { ListFreezer } from './list-freezer.js';
import type { QuotaCheck } from './quota-check.js';
import { spawningConfig } from './spawning-config.js';
import { SpawnFailure } from './spawn-failure.js';

/** Who lets spawners wait, and wakes them. */
export interface Parking {
  /** Defers a fan-out that has not begun, where pressure is against it. @returns whether it waits */
  defer(fanOut: number, parentId: string, top: Plan | null): Promise<boolean>;
  /** It waits no more. */
  wake(fanOut: number, parentId: string): Promise<void>;
}

const largestBatch = 1_000;
const maxKeyBytes = 255;

/**
 * Spawning turns a frozen list into children, batch by batch from a recorded cursor.
 *
 * Promises. One transaction inserts a batch of children with their first events and moves the cursor, so a crash resumes at
 * the cursor and a redelivery finds the rows there and attaches them (I1). Two orchestrators never work on one fan-out at
 * once: its control row is locked for a batch. Nothing is spawned under a pause or a cancel: the root's gate is held and
 * the marks above are looked at behind it (I10). The spawner keeps a bounded lead of children not yet admitted.
 *
 * Dying between any two lines: the batch is there with its cursor, or not at all; the spawn sweep goes on.
 */
export class SpawningService {
  private readonly active = new Set<number>();
  private readonly again = new Set<number>();
  private readonly batchSize: number;

  constructor(
    private readonly database: Database,
    private readonly store: SpawnStore,
    private readonly facts: FanOutFactSource,
    private readonly parents: ParentStore,
    private readonly plans: PlanSource,
    private readonly freezer: ListFreezer,
    private readonly frozen: FrozenInput,
    private readonly quota: QuotaCheck,
    private readonly hints: Hints,
    private readonly lead: number,
    private readonly parking: Parking,
    private readonly logger: Logger,
  ) {
    this.batchSize = batchWithin(lead);
  }

  /** Spawns as far as the lead allows. Called again when admission has caught up, and by the sweep. */
  async spawn(fanOut: number, signal?: AbortSignal): Promise<void> {
    if (this.active.has(fanOut)) return void this.again.add(fanOut);
    this.active.add(fanOut);
    try {
      // a ring that comes between the last look and the end is not lost
      do this.again.delete(fanOut);
      while (!signal?.aborted && ((await this.step(fanOut)) || this.again.has(fanOut)));
    } finally {
      this.active.delete(fanOut);
      this.again.delete(fanOut);
    }
  }

  /** @returns whether there is more to do at once */
  private async step(fanOut: number): Promise<boolean> {
    const found = await this.store.find(this.database.any, fanOut);
    if (!found || found.mark || found.spawned - found.admitted > this.lead - this.batchSize) return false;
    if (found.spawned > 0 && found.deferredUntil !== null) await this.parking.wake(fanOut, found.parentId);
    const facts = (await this.facts.of(this.database.any, [fanOut])).get(fanOut)!;
    const parentPath =
      found.parentFanOutId === null
        ? []
        : (await this.facts.of(this.database.any, [found.parentFanOutId])).get(found.parentFanOutId)!.childPath;
    const at = await this.plans.at(this.database.any, found.parentVersionId, parentPath);
    const node = at.plan.nodes[facts.node]!;
    const config = spawningConfig(node);
    try {
      if (!found.listFrozen) {
        const scope = await this.scopeOf(found, at.plan);
        await this.freezer.freeze(found, config, scope, (id) => nodeById(at.plan, id)?.index ?? -1);
        return true;
      }
      if (found.spawned === 0) {
        await this.quota.judge(found, { parent: at.name, children: await this.childrenOf(found, at.name) });
        const top = found.parentFanOutId === null ? at.whole : null;
        const isDeferrable = config.pausesUnderPressure === null;
        if (isDeferrable && (await this.parking.defer(fanOut, found.parentId, top))) return false;
        if (found.deferredUntil !== null) await this.parking.wake(fanOut, found.parentId);
      }
      if (found.keyed && !found.keysChecked) {
        await this.checkKeys(found, config, at.plan);
        return true;
      }
      return await this.batch(found, node, config, at.plan);
    } catch (error) {
      if (!(error instanceof SpawnFailure)) throw error;
      this.logger.warn({ fanOut, executionId: found.parentId, code: error.code }, 'spawner failed');
      if (error.code.startsWith('FREEZE.')) await this.frozen.forget(found);
      await inTransaction(this.database.pool, (tx) => this.store.fail(tx, fanOut, error.detail(node.id)));
      this.hints.merging([fanOut]);
      return false;
    }
  }

  /** The pipeline that children belong to: that of their spawner where they are inline. */
  private async childrenOf(f: FanOutToSpawn, parent: string): Promise<string> {
    if (f.childVersionId === f.parentVersionId) return parent;
    return (await this.plans.at(this.database.any, f.childVersionId, [])).name;
  }

  private async batch(found: FanOutToSpawn, node: PlannedNode, config: SpawnerConfig, plan: Plan): Promise<boolean> {
    const { freeze } = config;
    const isFrozen = freeze !== null && found.spawned < found.total!;
    const frozen = isFrozen ? await this.frozen.at(found, freeze) : null;
    if (isFrozen && !frozen) return false;
    const plain = config.input === null && config.itemKey === null && freeze === null;
    const scope = plain ? null : await this.scopeOf(found, plan);
    const done = await inTransaction(
      this.database.pool,
      async (tx) => {
        const f = await this.store.lock(tx, found.id);
        if (!f || f.mark || !f.listFrozen || f.listId === null || f.total === null) return null;
        const cursor =
          f.spawned >= f.total
            ? f.spawned
            : plain
              ? await this.spawnPlain(tx, f)
              : await this.spawnComputed(tx, f, config, scope!, node, frozen);
        const sealed = cursor >= f.total && (await this.store.seal(tx, f.id, cursor));
        return { cursor, moved: cursor - f.spawned, sealed, more: !sealed && cursor < f.total, admitted: f.admitted };
      },
      { gate: { roots: [found.rootId], mode: 'shared' } },
    );
    if (!done) return false;
    if (done.moved > 0) this.hints.admission();
    if (done.sealed) {
      this.hints.merging([found.id]);
      this.hints.admission();
    }
    return done.more && done.cursor - done.admitted <= this.lead - this.batchSize;
  }

  private async spawnPlain(tx: Tx, f: FanOutToSpawn): Promise<number> {
    let cursor = f.spawned;
    const end = Math.min(f.total!, f.spawned + this.batchSize);
    for (const chunk of await this.store.chunkBorders(tx, f.listId!, cursor, this.batchSize)) {
      if (cursor >= end) break;
      cursor = await this.store.spawnChunk(tx, f, chunk.firstIndex, cursor, end - cursor);
    }
    if (cursor === f.spawned)
      throw new SpawnFailure('ITEMS.LIST_GONE', `the list ends at ${cursor} of ${f.total} items`);
    return cursor;
  }

  private async spawnComputed(
    tx: Tx,
    f: FanOutToSpawn,
    config: SpawnerConfig,
    scope: Scope,
    node: PlannedNode,
    frozen: FrozenAnswer | null,
  ): Promise<number> {
    if (frozen && frozen.firstIndex !== f.spawned) return f.spawned;
    const chunk = await this.store.chunkAt(tx, f.listId!, f.spawned);
    if (!chunk) throw new SpawnFailure('ITEMS.LIST_GONE', `the list ends at ${f.spawned} of ${f.total} items`);
    const children: Child[] = [];
    let index = chunk.firstIndex;
    for (const item of sliceElements(chunk.body)) {
      const itemIndex = index++;
      if (itemIndex < f.spawned) continue;
      // What was looked up together is spawned together.
      if (frozen ? itemIndex >= frozen.firstIndex + frozen.itemCount : children.length === this.batchSize) break;
      const seen = { ...scope, item, index: itemIndex };
      const itemKey = config.itemKey === null ? null : keyOf(config, seen, node);
      const here = frozen ? { ...seen, frozen: frozen.take(itemIndex, itemKey) } : seen;
      const input =
        config.input === null ? item : this.evaluate(() => evaluateTemplate(config.input!, here), node, itemIndex);
      children.push({
        itemIndex,
        input,
        item: input === item ? null : item,
        itemKey,
      });
    }
    const cursor = await this.store.spawn(tx, f, children, f.spawned);
    if (frozen) await this.frozen.use(tx, f, frozen);
    return cursor;
  }

  /** Every key is present and unique over the whole list before the first child is born. */
  private async checkKeys(f: FanOutToSpawn, config: SpawnerConfig, plan: Plan): Promise<void> {
    const scope = await this.scopeOf(f, plan);
    const node = plan.nodes[f.node]!;
    for (let index = 0; ;) {
      const chunk = await this.store.chunkAt(this.database.any, f.listId!, index);
      if (!chunk) break;
      const hashes: Buffer[] = [];
      const indexes: number[] = [];
      let at = chunk.firstIndex;
      for (const item of sliceElements(chunk.body)) {
        const key = keyOf(config, { ...scope, item, index: at }, node);
        hashes.push(createHash('sha256').update(key, 'utf8').digest());
        indexes.push(at++);
      }
      const twice = await this.store.claimKeys(this.database.any, f.id, hashes, indexes);
      if (twice)
        throw new SpawnFailure('ITEM_KEY.DUPLICATE', `items ${twice.first} and ${twice.second} have the same key`, {
          itemIndexes: [twice.first, twice.second],
        });
      index = chunk.firstIndex + chunk.itemCount;
      await this.store.touch(this.database.any, f.id);
    }
    await this.store.keysChecked(this.database.any, f.id);
  }

  /** What the spawner's templates see. */
  private async scopeOf(f: FanOutToSpawn, plan: Plan): Promise<Scope> {
    const node = plan.nodes[f.node]!;
    const scope = nodeScope(plan, node, await this.parents.scope(this.database.any, f.parentId, plan, node));
    evaluated(() => scope.input, node);
    return scope;
  }

  private evaluate(run: () => string, node: PlannedNode, itemIndex: number): string {
    return evaluated(run, node, itemIndex);
  }
}

/** Children of one transaction: whole batches, and the lead is never exceeded. At least two of them fit into it, so that the spawner works ahead. */
export function batchWithin(lead: number): number {
  return Math.min(largestBatch, Math.ceil(lead / 2));
}

function keyOf(config: SpawnerConfig, scope: Scope, node: PlannedNode): string {
  const text = evaluated(() => evaluateTemplate(config.itemKey!, scope), node, scope.index!);
  const kind = jsonKind(text);
  const key = kind === 'string' ? decodeString(text) : kind === 'number' || kind === 'boolean' ? text : null;
  if (key === null || key === '')
    throw new SpawnFailure('ITEM_KEY.MISSING', `item ${scope.index} has no key`, { itemIndex: scope.index });
  if (Buffer.byteLength(key) > maxKeyBytes || /[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(key))
    throw new SpawnFailure(
      'ITEM_KEY.INVALID',
      `the key of item ${scope.index} is longer than ${maxKeyBytes} bytes, or has control characters or half a surrogate pair`,
      {
        itemIndex: scope.index,
      },
    );
  return key;
}

function evaluated(run: () => string, node: PlannedNode, itemIndex?: number): string {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    throw new SpawnFailure('EXPRESSION.FAILED', error.message, {
      expression: error.expression,
      path: error.path,
      ...(itemIndex === undefined ? {} : { itemIndex }),
      node: node.id,
    });
  }
}
