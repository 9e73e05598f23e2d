import { sliceElements, type FreezeConfig } from '@app/domain';
import type { Chunk, ClaimedLookup, VersionedPlan } from '@app/persistence';
import type { ClaimedTask } from '../running/claimed-task.js';

/** `items` of a look-up: the exact text of each item with its position. */
export function itemsOf(lookup: Pick<ClaimedLookup, 'firstIndex' | 'itemCount'>, chunk: Chunk): string {
  const from = lookup.firstIndex;
  const items: string[] = [];
  let index = chunk.firstIndex;
  for (const item of sliceElements(chunk.body)) {
    if (index >= from && index < from + lookup.itemCount) items.push(`{"index":${index},"item":${item}}`);
    index++;
  }
  return `[${items.join(',')}]`;
}

/** A look-up as its performer takes it: the same call, under the same id, at each attempt. */
export function taskOfLookup(
  lookup: ClaimedLookup,
  at: VersionedPlan,
  { plan }: FreezeConfig,
  items: string,
): ClaimedTask {
  const node = plan.nodes[0]!;
  return {
    executionId: lookup.parentId,
    rootId: lookup.rootId,
    parentId: lookup.grandparentId,
    fanOutId: null,
    at,
    node,
    attempt: lookup.attempt,
    fencingToken: lookup.attempt,
    incarnation: 0,
    itemKey: null,
    scope: {
      input: lookup.input,
      items,
      executionId: lookup.parentId,
      parentId: lookup.grandparentId,
      labels: lookup.labels,
    },
    batchId: 0,
    holds: false,
    learns: false,
    startBy: null,
    units: [],
    refusal: null,
    suspect: false,
    callId: `${lookup.parentId}.${node.id}.freeze-${lookup.fanOutId}-${lookup.firstIndex}`,
  };
}
