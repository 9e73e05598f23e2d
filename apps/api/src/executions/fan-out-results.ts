import { Inject, Injectable } from '@nestjs/common';
import { childIdRange, executionOutput, itemIndexOf, squeeze } from '@app/domain';
import { FanOutReadingStore, type FanOutRow, type ResultRow } from '@app/persistence';
import { API, type Api } from '../api.js';
import { planAt, Plans } from '../pipelines/plans.js';
import { groupBy } from '../request/group-by.js';
import { idBefore } from '../request/id-range.js';

const childrenPerRead = 1_000;
const bytesPerRead = 4 * 1024 * 1024;

/** Results of a fan-out as lines of JSON, read range by range, so a million cost no more memory than a thousand. */
@Injectable()
export class FanOutResults {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(FanOutReadingStore) private readonly fanOuts: FanOutReadingStore,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  async *lines(fanOut: FanOutRow): AsyncGenerator<string> {
    const { plan: version } = await this.plans.of(fanOut.childVersionId);
    const plan = planAt(version, fanOut.childPath);
    const [first, to] = childIdRange(fanOut.rootId, fanOut.id);
    let after = idBefore(first);
    for (;;) {
      const rows = await this.fanOuts.results(this.api.database.any, {
        after,
        to,
        limit: childrenPerRead,
        nodes: plan.ends,
        maxBytes: bytesPerRead,
      });
      if (rows.length === 0) return;
      for (const [id, ofChild] of groupBy(rows, (row) => row.id)) {
        yield line(ofChild, (outputs) => executionOutput(plan, outputs));
        after = id;
      }
    }
  }
}

function line(rows: readonly ResultRow[], output: (outputs: Map<number, string | null>) => string | null): string {
  const { id, itemKey, state, error } = rows[0]!;
  const head = `{"index":${itemIndexOf(id)},"key":${JSON.stringify(itemKey)},"state":"${state.toUpperCase()}"`;
  if (state === 'failed' || state === 'cancelled') return `${head},"error":${oneLine(error)}}\n`;
  if (state !== 'succeeded') return `${head}}\n`;
  const outputs = new Map(rows.filter((row) => row.node !== null).map((row) => [row.node!, row.output]));
  const text = output(outputs);
  // A node that gave nothing has no output here, so it is told apart from one that gave null.
  return text === null ? `${head}}\n` : `${head},"output":${oneLine(text)}}\n`;
}

function oneLine(text: string | null): string {
  return text === null ? 'null' : /[\r\n]/.test(text) ? squeeze(text) : text;
}
