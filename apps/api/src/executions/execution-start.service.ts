import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { jsonKind, sliceMembers, squeeze, topLevelId, type Plan } from '@app/domain';
import { INTAKE_QUEUE } from '@app/contracts/messages/queues.js';
import { ExecutionStartStore, inTransaction, PipelineStore, QuotaStore, type Tx } from '@app/persistence';
import { z } from 'zod';
import { API, type Api } from '../api.js';
import { exactText } from '../json/json-text.js';
import { InputSchemas } from '../pipelines/input-schema.js';
import { Plans, type VersionPlan } from '../pipelines/plans.js';
import { unknownPipeline } from '../pipelines/pipelines.service.js';
import { conflict, notFound, refused, type ProblemDefect } from '../problem/problem.js';
import { created, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { bodyMembers, defectsOf } from '../request/body.js';
import { labelDefect, labelText } from '../request/names.js';
import { HintBus } from '../hints/hint-bus.js';

const members = ['input', 'labels', 'priority', 'version', 'key'] as const;
const settings = z.object({
  priority: z.int('must be a whole number from 0 to 9').min(0).max(9).default(5),
  version: z
    .int('must be a version number')
    .min(1)
    .max(2 ** 31 - 1)
    .optional(),
  key: labelText.refine((text) => text !== '', 'must not be empty').optional(),
});
const maxLabels = 64;

/** What a request to start asks for; texts are exact JSON. */
interface StartRequest {
  readonly input: string;
  readonly labels: string | null;
  readonly priority: number;
  readonly version: number | undefined;
  readonly key: string | undefined;
}

/**
 * Starts executions: one transaction with the execution, its first event, its business key and the answer of its request
 * key. If the process dies before the commit nothing exists; after it the execution is found by the intake sweep, so
 * the message that follows is only a hint.
 */
@Injectable()
export class ExecutionStartService {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(PipelineStore) private readonly pipelines: PipelineStore,
    @Inject(ExecutionStartStore) private readonly starts: ExecutionStartStore,
    @Inject(QuotaStore) private readonly quotas: QuotaStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(InputSchemas) private readonly schemas: InputSchemas,
    @Inject(HintBus) private readonly hints: HintBus,
  ) {}

  /** @throws Problem 404, 409 (disabled, key in use), 422 */
  async start(name: string, request: ApiRequest): Promise<Answer> {
    const wanted = readStart(request.bodyText);
    const id = topLevelId(Date.now(), randomBytes(10));
    const traceId = traceOf(request) ?? randomBytes(16).toString('hex');
    const version = await this.versionFor(name, wanted.version);
    this.checkInput(version.plan, wanted.input);
    const answer = await inTransaction(this.api.database.pool, async (tx) => {
      await this.hold(tx, name);
      await this.checkQuota(tx, name);
      if (wanted.key !== undefined) await this.claimKey(tx, name, wanted.key, id);
      const createdAt = await this.starts.insert(tx, {
        id,
        versionId: version.versionId,
        priority: wanted.priority,
        input: wanted.input,
        labels: wanted.labels,
        traceId,
        key: wanted.key ?? null,
        timeoutMs: version.plan.timeoutMs,
      });
      const started = created(startedView(id, version, wanted, traceId, createdAt), `/v1/executions/${id}`);
      await request.claim?.complete(tx, started);
      return started;
    });
    this.hints.tell(INTAKE_QUEUE, { ids: [id] });
    return answer;
  }

  /** Read before the transaction begins: a transaction must not wait for a second connection. */
  private async versionFor(name: string, wanted: number | undefined): Promise<VersionPlan> {
    const { any } = this.api.database;
    const [latest] = await this.pipelines.findLatest(any, { names: [name] });
    if (!latest) throw unknownPipeline(name);
    if (wanted === undefined) return this.plans.of(latest.versionId);
    const row = await this.pipelines.findVersion(any, { name, version: wanted });
    if (!row) throw notFound(`version ${wanted} of the pipeline ${name}`, 'PIPELINE.VERSION_UNKNOWN');
    return this.plans.of(row.versionId);
  }

  private async hold(tx: Tx, name: string): Promise<void> {
    const held = await this.pipelines.hold(tx, { name });
    if (!held) throw unknownPipeline(name);
    if (!held.enabled) throw conflict('PIPELINE.DISABLED', `the pipeline ${name} takes no new executions`);
  }

  /** @throws Problem 409 where one more would be too many */
  private async checkQuota(tx: Tx, name: string): Promise<void> {
    for (const { scope, maxOpenExecutions } of await this.quotas.hold(tx, { scopes: ['all', name] })) {
      const open = Number(await this.quotas.openExecutions(tx, { pipeline: scope === 'all' ? null : name }));
      if (open < maxOpenExecutions) continue;
      const detail = `the quota of ${scope} allows ${maxOpenExecutions} open executions, and ${open} are open`;
      throw conflict('QUOTA.EXCEEDED', detail, { scope, limit: maxOpenExecutions, open });
    }
  }

  private checkInput(plan: Plan, input: string): void {
    if (plan.inputSchema === null) return;
    const defects = this.schemas.check(plan.inputSchema, input);
    if (defects.length > 0) throw refused(defects, 'EXECUTION.INPUT_REFUSED');
  }

  private async claimKey(tx: Tx, pipeline: string, key: string, executionId: string): Promise<void> {
    const keyHash = createHash('sha256').update(key).digest();
    if (await this.starts.claimKey(tx, { pipeline, keyHash, executionId })) return;
    const holder = await this.starts.keyHolder(tx, { pipeline, keyHash });
    throw conflict('EXECUTION.KEY_IN_USE', 'an open execution of the pipeline has this key', { id: holder });
  }
}

/** @throws Problem 422 with every defect */
function readStart(text: string): StartRequest {
  const given = bodyMembers(text, members);
  const value = Object.fromEntries(
    ['priority', 'version', 'key']
      .filter((name) => given.has(name))
      .map((name) => [name, JSON.parse(given.get(name)!)]),
  );
  const parsed = settings.safeParse(value);
  const labels = given.get('labels') ?? null;
  const defects = [
    ...(parsed.success ? [] : defectsOf(parsed.error)),
    ...(labels === null ? [] : labelDefects(labels)),
  ];
  if (defects.length > 0 || !parsed.success) throw refused(defects);
  return {
    input: squeeze(given.get('input') ?? '{}'),
    labels: labels === null ? null : squeeze(labels),
    ...parsed.data,
  } as StartRequest;
}

function labelDefects(text: string): ProblemDefect[] {
  if (jsonKind(text) !== 'object') return [{ path: 'labels', message: `must be an object, not ${jsonKind(text)}` }];
  const labels = sliceMembers(text);
  if (labels.length > maxLabels) return [{ path: 'labels', message: `must be at most ${maxLabels}` }];
  return labels.flatMap(([name, value]) => {
    const path = `labels.${name.slice(0, 64)}`;
    if (name === '') return [{ path: 'labels', message: 'a name must not be empty' }];
    const ofName = labelDefect(name);
    if (ofName) return [{ path, message: `the name ${ofName}` }];
    if (jsonKind(value) !== 'string') return [{ path, message: 'must be a string' }];
    const ofValue = labelDefect(JSON.parse(value) as string);
    return ofValue ? [{ path, message: ofValue }] : [];
  });
}

function traceOf(request: ApiRequest): string | null {
  const header = request.headers.traceparent;
  const found = typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(header) : null;
  return found && !/^0+$/.test(found[1]!) ? found[1]! : null;
}

function startedView(id: string, version: VersionPlan, wanted: StartRequest, traceId: string, createdAt: Date) {
  return {
    id,
    pipeline: { name: version.name, version: version.version },
    node: null,
    state: 'PENDING',
    parentId: null,
    rootId: id,
    spawnedBy: null,
    itemIndex: null,
    itemKey: null,
    key: wanted.key ?? null,
    input: exactText(wanted.input),
    output: null,
    error: null,
    fingerprint: null,
    labels: exactText(wanted.labels ?? '{}'),
    priority: wanted.priority,
    attempt: 0,
    traceId,
    createdAt,
    startedAt: null,
    finishedAt: null,
    nodes: version.plan.nodes.map((node) => ({
      id: node.id,
      type: node.type,
      state: 'PENDING',
      attempt: 0,
      startedAt: null,
      finishedAt: null,
      availableAt: null,
      error: null,
    })),
    fanOuts: [],
    openDescendants: 0,
  };
}
