import { cutPath, mostLookupMs, type PlannedNode } from '@app/domain';
import type { ClaimedLookup, Database, FrozenInputStore, LookupEnd, PlanSource, SpawnStore } from '@app/persistence';
import type { Logger, Metrics, Random } from '@app/runtime';
import type { Performer } from '../running/performer.js';
import { claimMarginMs, outcomeOf, SideCalls, verdictOf, type CallVerdict } from '../running/side-calls.js';
import { itemsOf, taskOfLookup } from './lookup-task.js';

const mostLookups = 16;
const claimMs = mostLookupMs + claimMarginMs;

export interface LookupParts {
  readonly database: Database;
  readonly store: FrozenInputStore;
  readonly lists: SpawnStore;
  readonly plans: PlanSource;
  /** By type: HTTP and HANDLER. */
  readonly performers: ReadonlyMap<string, Performer>;
  readonly queues: readonly string[];
  readonly handlers: readonly string[];
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Looks up what children are to have before they are there, a batch of items at a time.
 *
 * Promises. An answer is kept as it came, once; the spawner takes it from the row. A look-up is made at least once, with the retry
 * policy of its node, and none begins behind a pause or cancel that was answered.
 *
 * Dying between any two lines: the row is due again when its claim's time is over, and the same call is made under the same id.
 */
export class LookupsService {
  readonly calls: SideCalls<ClaimedLookup>;

  constructor(private readonly parts: LookupParts) {
    const { database, store, queues, handlers, logger, metrics } = parts;
    this.calls = new SideCalls({
      name: 'lookups',
      most: mostLookups,
      claim: (most) => store.claim(database, { most, queues, handlers, forMs: claimMs }),
      perform: (lookup, stopping) => this.perform(lookup, stopping),
      logger,
      metrics,
    });
  }

  private async perform(lookup: ClaimedLookup, stopping: AbortSignal): Promise<void> {
    const { database, store, lists, plans, performers, random } = this.parts;
    const at = await plans.at(database.any, lookup.versionId, lookup.path);
    const config = at.plan.nodes[lookup.node]?.config;
    if (config?.type !== 'SPAWNER' || !config.freeze) throw new Error(`pipeline ${at.name} looks nothing up there`);
    const node = config.freeze.plan.nodes[0]!;
    const chunk = await lists.chunkAt(database.any, lookup.listId, lookup.firstIndex);
    if (!chunk) throw new Error(`the list of fan-out ${lookup.fanOutId} ends before ${lookup.firstIndex}`);
    const task = taskOfLookup(lookup, at, config.freeze, itemsOf(lookup, chunk));
    const timeoutMs = Math.min(node.timeoutMs ?? mostLookupMs, mostLookupMs);
    const outcome = await outcomeOf(performers.get(node.type)!, task, timeoutMs, stopping);
    await store.end(database.any, lookup, endOf(verdictOf(outcome, lookup, node.retry, random), node));
  }
}

/** The answer of an HTTP node is the body it gives. */
function endOf(verdict: CallVerdict, node: PlannedNode): LookupEnd {
  if (verdict.state !== 'succeeded') return verdict;
  const output = verdict.output ?? 'null';
  return { state: 'answered', answer: node.type === 'HTTP' ? (cutPath(output, ['body']) ?? 'null') : output };
}
