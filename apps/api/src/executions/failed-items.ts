import { Inject, Injectable } from '@nestjs/common';
import { childIdRange, jsonKind, sliceElements, squeeze } from '@app/domain';
import {
  DatasetStore,
  ExecutionReadingStore,
  FanOutReadingStore,
  type DatasetFormat,
  type FailedItem,
  type FanOutRow,
} from '@app/persistence';
import { API, type Api } from '../api.js';
import { csvCell, errorColumns, neutralCell } from '../datasets/upload/csv-export-marks.js';
import { planAt, Plans } from '../pipelines/plans.js';
import { idBefore } from '../request/id-range.js';

const lookPerRead = 5_000;
const itemsPerRead = 100;

export interface FailedItemsExport {
  readonly format: DatasetFormat;
  readonly parts: AsyncGenerator<string>;
}

/**
 * The items of failed children, in the format they came in. CSV gets error columns at the end, by which an upload knows it
 * as an export: it takes them away and restores every cell. Items of lists that were no dataset come as NDJSON.
 */
@Injectable()
export class FailedItems {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(DatasetStore) private readonly datasets: DatasetStore,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(FanOutReadingStore) private readonly fanOuts: FanOutReadingStore,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  async of(fanOut: FanOutRow | null): Promise<FailedItemsExport> {
    const dataset = fanOut?.listId ? await this.datasets.find(this.api.database.any, { id: fanOut.listId }) : null;
    const items = fanOut ? this.items(fanOut, await this.isBatched(fanOut)) : none();
    if (dataset?.format === 'csv') {
      const columns = JSON.parse(dataset.columns ?? '[]') as string[];
      return { format: 'csv', parts: csv(columns, dataset.separator ?? ',', items) };
    }
    return dataset?.format === 'json'
      ? { format: 'json', parts: array(items) }
      : { format: 'ndjson', parts: lines(items) };
  }

  private async isBatched(fanOut: FanOutRow): Promise<boolean> {
    const parentRow = await this.executions.find(this.api.database.any, { id: fanOut.parentId });
    if (!parentRow) return false;
    const { plan } = await this.plans.of(parentRow.versionId);
    const config = planAt(plan, parentRow.childPath ?? []).nodes[fanOut.node]?.config;
    return config?.type === 'SPAWNER' && config.batch !== null;
  }

  /** Failed items in item order; a child of a batch gives each item of the batch. */
  private async *items(fanOut: FanOutRow, batched: boolean): AsyncGenerator<FailedItem> {
    const [first, to] = childIdRange(fanOut.rootId, fanOut.id);
    for (let after = idBefore(first); ;) {
      const scan = await this.executions.scanChildren(this.api.database.any, {
        after,
        to,
        look: lookPerRead,
        pick: itemsPerRead,
        states: ['failed'],
        fingerprint: null,
        text: null,
        rootId: null,
        versionIds: null,
        since: null,
        labels: null,
      });
      for (const row of await this.fanOuts.failedItems(this.api.database.any, { ids: scan.ids }))
        if (batched && jsonKind(row.item) === 'array')
          for (const item of sliceElements(row.item)) yield { ...row, item };
        else yield row;
      if (scan.lastId === null || (scan.scanned < lookPerRead && scan.ids.length < itemsPerRead)) return;
      after = scan.ids.length === itemsPerRead ? scan.ids.at(-1)! : scan.lastId;
    }
  }
}

async function* csv(
  columns: readonly string[],
  separator: string,
  items: AsyncGenerator<FailedItem>,
): AsyncGenerator<string> {
  const row = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCell(neutralCell(cell), separator)).join(separator)}\r\n`;
  yield row([...columns, ...errorColumns]);
  for await (const { item, error } of items) {
    const values = (jsonKind(item) === 'object' ? JSON.parse(item) : {}) as Record<string, unknown>;
    const cells = columns.map((name) => cellText(Object.hasOwn(values, name) ? values[name] : ''));
    const why = (error === null ? {} : JSON.parse(error)) as { class?: string; code?: string; message?: string };
    yield row([...cells, why.class ?? '', why.code ?? '', why.message ?? '']);
  }
}

function cellText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

async function* lines(items: AsyncGenerator<FailedItem>): AsyncGenerator<string> {
  for await (const { item } of items) yield `${squeeze(item)}\n`;
}

async function* array(items: AsyncGenerator<FailedItem>): AsyncGenerator<string> {
  let before = '[';
  for await (const { item } of items) {
    yield before + squeeze(item);
    before = ',\n';
  }
  yield before === '[' ? '[]' : ']\n';
}

async function* none(): AsyncGenerator<FailedItem> {}
