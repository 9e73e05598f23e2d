import { Inject, Injectable } from '@nestjs/common';
import { executionOutput } from '@app/domain';
import { ExecutionReadingStore, FanOutReadingStore, type ExecutionRow, type FanOutRow } from '@app/persistence';
import { API, type Api } from '../api.js';
import { exactOrNull, exactText } from '../json/json-text.js';
import { Plans } from '../pipelines/plans.js';
import { notFound } from '../problem/problem.js';
import { canSpawn, Descendants } from './descendants.js';
import { executionRowView, isSettled, nodeViews, planOf, versionsOf } from './execution-view.js';
import { fanOutView, newestGenerations } from './fan-out-view.js';

/** Reads executions whole: row, tasks, fan-outs, output. */
@Injectable()
export class ExecutionReader {
  readonly descendants: Descendants;

  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(FanOutReadingStore) private readonly fanOuts: FanOutReadingStore,
    @Inject(Plans) private readonly plans: Plans,
  ) {
    this.descendants = new Descendants(api.database, fanOuts, plans);
  }

  /** @throws Problem 404 */
  async isSettled(id: string): Promise<boolean> {
    const [row] = await this.executions.watched(this.api.database.byKey, { ids: [id] });
    if (!row) throw unknownExecution(id);
    return isSettled(row);
  }

  /** @throws Problem 404 */
  async row(id: string): Promise<ExecutionRow & { input: string }> {
    const row = await this.executions.find(this.api.database.byKey, { id });
    if (!row) throw unknownExecution(id);
    return row;
  }

  /**
   * The execution as `GET` gives it. The row is read first: what is read after it can only be newer.
   * @throws Problem 404
   */
  async view(id: string): Promise<Record<string, unknown>> {
    const { byKey } = this.api.database;
    const row = await this.row(id);
    const plans = await this.plans.ofAll(versionsOf([row]));
    const plan = planOf(row, plans);
    const [tasks, fanOuts] = await Promise.all([
      this.executions.tasks(byKey, { id, outputsOf: row.state === 'succeeded' ? plan.ends : [] }),
      canSpawn(plan) ? this.fanOuts.ofParents(byKey, { parentIds: [id] }) : [],
    ]);
    const outputs = new Map(
      tasks.filter(({ state }) => state === 'succeeded').map(({ node, output }) => [node, output]),
    );
    const { error, fingerprint, labels, priority, attempt, traceId, createdAt, startedAt, finishedAt, ...lineage } =
      executionRowView(row, plans);
    return {
      ...lineage,
      input: exactText(row.input),
      output: row.state === 'succeeded' ? exactOrNull(executionOutput(plan, outputs)) : null,
      error,
      fingerprint,
      labels,
      priority,
      attempt,
      traceId,
      createdAt,
      startedAt,
      finishedAt,
      nodes: nodeViews(plan, tasks, isSettled(row)),
      fanOuts: newestGenerations(fanOuts).map((fanOut) => fanOutView(fanOut, plan)),
      openDescendants: await this.descendants.open(row, fanOuts),
    };
  }

  /** Counts of everything below an execution. */
  async below(row: ExecutionRow) {
    const own = await this.fanOuts.ofParents(this.api.database.any, { parentIds: [row.id] });
    return this.descendants.counts(row, own);
  }

  /**
   * The newest generation of an execution's fan-outs, of one spawner (or its merge) where a node is named.
   * @throws Problem 404 for a node that is none of those
   */
  async fanOutsOf(row: ExecutionRow, node: string | undefined): Promise<FanOutRow[]> {
    const all = newestGenerations(await this.fanOuts.ofParents(this.api.database.any, { parentIds: [row.id] }));
    if (node === undefined) return all;
    const plan = planOf(row, await this.plans.ofAll([row.versionId]));
    const planned = plan.nodes.find((n) => n.id === node);
    if (!planned) throw notFound(`the node ${node.slice(0, 64)}`, 'EXECUTION.NODE_UNKNOWN');
    const spawner = planned.config.type === 'MERGE' ? planned.config.of : planned.index;
    return all.filter((fanOut) => fanOut.node === spawner);
  }
}

export function unknownExecution(id: string) {
  return notFound(`the execution ${id.slice(0, 64)}`, 'EXECUTION.UNKNOWN');
}
