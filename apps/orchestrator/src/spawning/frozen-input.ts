import { jsonKind, sliceElements, sliceMembers, type FreezeConfig } from '@app/domain';
import type { Database, FanOutToSpawn, FrozenBatch, FrozenInputStore, SpawnStore, Tx } from '@app/persistence';
import { SpawnFailure } from './spawn-failure.js';

/**
 * What was looked up for items, before their children are there.
 *
 * The look-ups of a chunk are asked for together when the cursor comes to it; executors perform them side by side. The cursor
 * passes a batch only with its answer, in the transaction that spawns its children and keeps the answer for them. One that
 * failed for good fails the spawner, which goes on at its cursor, with a new look-up, when it is retried.
 */
export class FrozenInput {
  constructor(
    private readonly database: Database,
    private readonly lists: SpawnStore,
    private readonly store: FrozenInputStore,
  ) {}

  /**
   * The answer for the batch at the cursor; null while there is none.
   * @throws SpawnFailure where there will be none
   */
  async at(f: FanOutToSpawn, freeze: FreezeConfig): Promise<FrozenAnswer | null> {
    const batch = await this.store.at(this.database.any, f.id, f.spawned);
    if (!batch) {
      await this.plan(f, f.listId!, freeze);
      return null;
    }
    if (batch.state === 'answered') return new FrozenAnswer(batch);
    if (batch.state !== 'failed') return null;
    const { class: failureClass, code, message, ...facts } = JSON.parse(batch.error!) as FailureText;
    const { firstIndex, itemCount } = batch;
    throw new SpawnFailure(
      'FREEZE.FAILED',
      `the look-up for items ${firstIndex} to ${firstIndex + itemCount - 1} failed: ${message}`,
      {
        ...facts,
        cause: { class: failureClass, code },
        itemIndex: firstIndex,
      },
    );
  }

  /** What failed the spawner is asked for again when it is retried. */
  async forget(f: FanOutToSpawn): Promise<void> {
    await this.store.drop(this.database.any, f.id, f.spawned);
  }

  /** The answer belongs to the children that were spawned with it. */
  async use(tx: Tx, f: FanOutToSpawn, answer: FrozenAnswer): Promise<void> {
    await this.store.use(tx, f.id, answer.firstIndex, answer.inItemOrder);
  }

  private async plan(f: FanOutToSpawn, listId: string, { plan, batch }: FreezeConfig): Promise<void> {
    const chunk = await this.lists.chunkAt(this.database.any, listId, f.spawned);
    if (!chunk) throw new SpawnFailure('ITEMS.LIST_GONE', `the list ends at ${f.spawned} of ${f.total} items`);
    const end = chunk.firstIndex + chunk.itemCount;
    const batches = [];
    for (let firstIndex = f.spawned; firstIndex < end; firstIndex += batch)
      batches.push({ firstIndex, itemCount: Math.min(batch, end - firstIndex) });
    const { queue, config } = plan.nodes[0]!;
    const handler = config.type === 'HANDLER' ? config.handler : null;
    await this.store.plan(this.database.any, { fanOut: f.id, batches, queue, handler });
  }
}

interface FailureText {
  readonly class: string;
  readonly code: string;
  readonly message: string;
}

/** What a look-up gave: a list with an element for each item, or an object with a member for each item key. */
export class FrozenAnswer {
  readonly firstIndex: number;
  readonly itemCount: number;
  private readonly list: readonly string[] | null;
  private readonly byKey: ReadonlyMap<string, string>;
  private readonly taken: string[] = [];

  /** @throws SpawnFailure where it has another shape */
  constructor(batch: Pick<FrozenBatch, 'firstIndex' | 'itemCount' | 'answer'>) {
    this.firstIndex = batch.firstIndex;
    this.itemCount = batch.itemCount;
    const answer = batch.answer ?? 'null';
    const kind = jsonKind(answer);
    this.list = kind === 'array' ? [...sliceElements(answer)] : null;
    this.byKey = new Map(kind === 'object' ? sliceMembers(answer) : []);
    if (kind !== 'array' && kind !== 'object')
      throw this.invalid(`it must be a list or an object by item key, and is ${kind}`);
    if (this.list && this.list.length !== this.itemCount)
      throw this.invalid(`it has ${this.list.length} elements for ${this.itemCount} items`);
  }

  /** JSON text of what was taken, in item order. */
  get inItemOrder(): string {
    return `[${this.taken.join(',')}]`;
  }

  /**
   * What the answer has for an item; asked for in item order.
   * @throws SpawnFailure where it has nothing
   */
  take(itemIndex: number, itemKey: string | null): string {
    const found = this.list ? this.list[itemIndex - this.firstIndex] : this.member(itemKey);
    if (found === undefined) throw this.invalid(`it has nothing for item ${itemIndex}`, itemIndex);
    this.taken.push(found);
    return found;
  }

  private member(itemKey: string | null): string | undefined {
    if (itemKey === null) throw this.invalid('it is an object, and the spawner has no itemKey to find items by');
    return this.byKey.get(itemKey);
  }

  private invalid(why: string, itemIndex = this.firstIndex): SpawnFailure {
    const last = this.firstIndex + this.itemCount - 1;
    const message = `the answer of the look-up for items ${this.firstIndex} to ${last} is no use: ${why}`;
    return new SpawnFailure('FREEZE.ANSWER_INVALID', message, { itemIndex });
  }
}
