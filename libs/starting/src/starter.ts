import { createHash } from 'node:crypto';
import type { Plan } from '@app/domain';
import {
  ExecutionStartStore,
  PipelineStore,
  QuotaStore,
  type NewAuditEntry,
  type StartedAtOnce,
  type Tx,
  type VersionedPlan,
} from '@app/persistence';
import { InputSchemas } from './input-schema.js';
import { StartRefused } from './start-refused.js';

/** A top-level execution that is to be. */
export interface StartOrder {
  readonly id: string;
  readonly pipeline: string;
  readonly versionId: number;
  readonly plan: Plan;
  /** Exact JSON text. */
  readonly input: string;
  /** JSON text of an object, or null. */
  readonly labels: string | null;
  readonly priority: number;
  readonly traceId: string;
  readonly key: string | null;
}

/**
 * Starts top-level executions, whatever asked for them: a request, a schedule, a message. In the caller's transaction, so that
 * what asked and what was started are committed together.
 */
export class Starter {
  private readonly pipelines = new PipelineStore();
  private readonly quotas = new QuotaStore();
  private readonly starts = new ExecutionStartStore();

  constructor(private readonly schemas = new InputSchemas()) {}

  /** @throws StartRefused where the input does not fit the pipeline's schema */
  checkInput(plan: Plan, input: string): void {
    if (plan.inputSchema === null) return;
    const defects = this.schemas.check(plan.inputSchema, input);
    if (defects.length === 0) return;
    const first = `${defects[0]!.path}: ${defects[0]!.message}`;
    throw new StartRefused('EXECUTION.INPUT_REFUSED', first, {}, defects);
  }

  /**
   * @returns when it was created
   * @throws StartRefused: the pipeline is gone or takes no new executions, a quota is used up, its key is held
   */
  async start(tx: Tx, order: StartOrder): Promise<Date> {
    await this.hold(tx, order.pipeline);
    await this.checkQuota(tx, order.pipeline);
    if (order.key !== null) await this.claimKey(tx, order.pipeline, order.key, order.id);
    return this.starts.insert(tx, { ...order, timeoutMs: order.plan.timeoutMs });
  }

  /**
   * The same in one round trip, which is its transaction, for one without a key; its first task is handed out in it where it can be.
   * @param at the pipeline's newest version when it was last looked at
   * @param window what a queue may always have handed out
   * @param audit who starts it, written with it
   * @returns null: nothing has happened, and the other way says why, or does it
   */
  startAtOnce(
    db: Tx,
    order: Omit<StartOrder, 'pipeline' | 'versionId' | 'plan' | 'key'>,
    at: VersionedPlan,
    window: number,
    audit: NewAuditEntry,
  ): Promise<StartedAtOnce | null> {
    const execution = { ...order, versionId: at.versionId, timeoutMs: at.plan.timeoutMs, key: null };
    return this.starts.startAtOnce(db, execution, at, window, audit);
  }

  private async hold(tx: Tx, name: string): Promise<void> {
    const held = await this.pipelines.hold(tx, { name });
    if (!held) throw new StartRefused('PIPELINE.UNKNOWN', `the pipeline ${name} does not exist`);
    if (!held.enabled) throw new StartRefused('PIPELINE.DISABLED', `the pipeline ${name} takes no new executions`);
  }

  private async checkQuota(tx: Tx, name: string): Promise<void> {
    for (const { scope, maxOpenExecutions } of await this.quotas.hold(tx, { scopes: ['all', name] })) {
      const open = await this.quotas.openExecutions(tx, { pipeline: scope === 'all' ? null : name });
      if (open < maxOpenExecutions) continue;
      const detail = `the quota of ${scope} allows ${maxOpenExecutions} open executions, and ${open} are open`;
      throw new StartRefused('QUOTA.EXCEEDED', detail, { scope, limit: maxOpenExecutions, open });
    }
  }

  private async claimKey(tx: Tx, pipeline: string, key: string, executionId: string): Promise<void> {
    const keyHash = createHash('sha256').update(key).digest();
    if (await this.starts.claimKey(tx, { pipeline, keyHash, executionId })) return;
    const holder = await this.starts.keyHolder(tx, { pipeline, keyHash });
    const detail = 'an open execution of the pipeline has this key';
    throw new StartRefused('EXECUTION.KEY_IN_USE', detail, { id: holder });
  }
}
