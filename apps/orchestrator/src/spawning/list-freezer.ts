import {
  decodeString,
  evaluateTemplate,
  ExpressionFailure,
  ItemBatch,
  jsonKind,
  sliceElements,
  type Scope,
  type SpawnerConfig,
} from '@app/domain';
import {
  inTransaction,
  type Database,
  type FanOutToSpawn,
  type ResultStore,
  type SpawnStore,
  type Tx,
} from '@app/persistence';
import type { Random } from '@app/runtime';
import { ChunkWriter } from './chunk-writer.js';
import { SpawnFailure } from './spawn-failure.js';

/**
 * Freezes the item list at its first evaluation: whatever the source says later, positions stay what they were (I1). An
 * inline list is cut, not parsed, into chunks; a dataset is frozen already; results of an earlier fan-out are copied.
 */
export class ListFreezer {
  constructor(
    private readonly database: Database,
    private readonly store: SpawnStore,
    private readonly results: ResultStore,
    private readonly random: Random,
  ) {}

  /** @throws SpawnFailure when there is no list to be had */
  async freeze(
    f: FanOutToSpawn,
    config: SpawnerConfig,
    scope: Scope,
    spawnerOf: (id: string) => number,
  ): Promise<void> {
    const { items } = config;
    if (items.kind === 'dataset') return this.freezeDataset(f, config, evaluate(items.dataset, scope));
    if (items.kind === 'results') return this.freezeResults(f, config, spawnerOf(items.of), items.states);
    const text = evaluate(items.list, scope);
    const kind = jsonKind(text);
    if (kind !== 'array')
      throw new SpawnFailure('ITEMS.NOT_A_LIST', `items must be a list; ${items.list.source} gives ${article(kind)}`, {
        path: items.list.source,
        found: kind,
      });
    await this.write(f, config, sliceElements(text));
  }

  private async freezeDataset(f: FanOutToSpawn, config: SpawnerConfig, text: string): Promise<void> {
    const id = jsonKind(text) === 'string' ? decodeString(text) : text;
    const dataset = /^[0-9a-f-]{36}$/i.test(id) ? await this.store.dataset(this.database.any, id) : null;
    if (!dataset)
      throw new SpawnFailure('DATASET.NOT_FOUND', `there is no dataset ${id.slice(0, 100)}`, {
        dataset: id.slice(0, 100),
      });
    await inTransaction(this.database.pool, async (tx) => {
      await this.store.useDataset(tx, dataset.id, f.rootId);
      if (!config.batch) await this.store.freeze(tx, f.id, dataset.id, dataset.itemCount, true);
    });
    if (config.batch) await this.write(f, config, this.itemsOf(dataset.id));
  }

  private async freezeResults(
    f: FanOutToSpawn,
    config: SpawnerConfig,
    spawner: number,
    states: readonly string[],
  ): Promise<void> {
    const source = await this.results.fanOutOf(this.database.any, f.parentId, spawner);
    if (!source) throw new SpawnFailure('RESULTS.NOT_FOUND', 'the earlier fan-out has no results');
    await this.write(
      f,
      config,
      this.results.stream(
        this.database.any,
        source,
        states.map((s) => s.toLowerCase()),
      ),
    );
  }

  private async *itemsOf(list: string): AsyncGenerator<string> {
    for (let index = 0; ;) {
      const chunk = await this.store.chunkAt(this.database.any, list, index);
      if (!chunk) return;
      yield* sliceElements(chunk.body);
      index = chunk.firstIndex + chunk.itemCount;
    }
  }

  /** Writes a list of its own, in transactions of a few chunks; it counts only once it is complete. */
  private async write(
    f: FanOutToSpawn,
    config: SpawnerConfig,
    items: Iterable<string> | AsyncIterable<string>,
  ): Promise<void> {
    const list = this.random.uuid();
    const writer = new ChunkWriter();
    const name = `fan-out ${f.id}`;
    await this.store.createList(this.database.any, list, name, 0, false);
    const flush = async (tx: Tx, all: boolean) => {
      const chunks = writer.take(all);
      if (chunks.length > 0) await this.store.addChunks(tx, list, chunks);
    };
    await this.store.touch(this.database.any, f.id);
    let pending = 0;
    for await (const item of grouped(items, config.batch)) {
      writer.add(item);
      if (++pending >= 8_000) {
        await flush(this.database.any, false);
        pending = 0;
        await this.store.touch(this.database.any, f.id);
      }
    }
    await inTransaction(this.database.pool, async (tx) => {
      await flush(tx, true);
      if (!(await this.store.freeze(tx, f.id, list, writer.count, true))) await this.store.dropList(tx, list);
    });
  }
}

/** One child per batch: the item is the array of the batch's items. */
async function* grouped(
  items: Iterable<string> | AsyncIterable<string>,
  batch: SpawnerConfig['batch'],
): AsyncGenerator<string> {
  if (!batch) {
    yield* items;
    return;
  }
  const open = new ItemBatch(batch);
  for await (const item of items) {
    const whole = open.add(item, Buffer.byteLength(item));
    if (whole !== null) yield whole;
  }
  const rest = open.take();
  if (rest !== null) yield rest;
}

function evaluate(template: Parameters<typeof evaluateTemplate>[0], scope: Scope): string {
  try {
    return evaluateTemplate(template, scope);
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    throw new SpawnFailure('ITEMS.NOT_A_LIST', `items must be a list; ${error.message}`, {
      path: error.path ?? template.source,
      expression: error.expression,
      found: 'nothing',
    });
  }
}

function article(kind: string): string {
  return kind === 'null' ? 'null' : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
