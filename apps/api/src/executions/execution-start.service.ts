import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { squeeze, topLevelId } from '@app/domain';
import { INTAKE_QUEUE, taskQueue } from '@app/contracts/messages/queues.js';
import { inTransaction, PipelineStore } from '@app/persistence';
import { Starter, StartRefused } from '@app/starting';
import { z } from 'zod';
import { auditEntryOf } from '../access/audit-entry.js';
import { API, type Api } from '../api.js';
import { exactText } from '../json/json-text.js';
import { Plans, type VersionPlan } from '../pipelines/plans.js';
import { unknownPipeline } from '../pipelines/pipelines.service.js';
import { conflict, notFound, Problem, refused } from '../problem/problem.js';
import { created, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { bodyMembers, defectsOf } from '../request/body.js';
import { labelDefects } from '../request/labels.js';
import { labelText } from '../request/names.js';
import { HintBus } from '../hints/hint-bus.js';
import { wholeNumber } from '../request/whole-number.js';

const members = ['input', 'labels', 'priority', 'version', 'key'] as const;
const settings = z.object({
  priority: wholeNumber(0, 9).default(5),
  version: wholeNumber(1).optional(),
  key: labelText.refine((text) => text !== '', 'must not be empty').optional(),
});

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
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Starter) private readonly starter: Starter,
    @Inject(HintBus) private readonly hints: HintBus,
  ) {}

  /** @throws Problem 404, 409 (disabled, key in use), 422 */
  async start(name: string, request: ApiRequest): Promise<Answer> {
    const wanted = readStart(request.bodyText);
    const id = topLevelId(Date.now(), randomBytes(10));
    const traceId = traceOf(request) ?? randomBytes(16).toString('hex');
    return (
      (await this.startAtOnce(name, wanted, id, traceId, request)) ??
      (await this.startInSteps(name, wanted, id, traceId, request))
    );
  }

  /**
   * Where nothing besides the execution is to be written and the pipeline's newest version is known, one statement starts it, and executors
   * are told of its first task.
   */
  private async startAtOnce(
    name: string,
    wanted: StartRequest,
    id: string,
    traceId: string,
    request: ApiRequest,
  ): Promise<Answer | null> {
    const version = wanted.version === undefined ? this.plans.newestOf(name) : undefined;
    if (!version || request.claim || wanted.key !== undefined) return null;
    if (!this.fits(version, wanted)) return null;
    const at = { ...version, whole: version.plan, path: [] };
    const order = { id, input: wanted.input, labels: wanted.labels, priority: wanted.priority, traceId };
    const audit = auditEntryOf(request, 201, `/v1/executions/${id}`);
    const started = await this.starter.startAtOnce(this.api.database.byKey, order, at, this.api.smallestWindow, audit);
    if (!started) return null;
    request.isAudited = true;
    const { createdAt, handout } = started;
    if (handout) this.hints.tell(taskQueue(handout.queue), handout);
    else this.hints.tell(INTAKE_QUEUE, { ids: [id] });
    return startedAnswer(id, version, wanted, traceId, createdAt);
  }

  private fits({ plan }: VersionPlan, { input }: StartRequest): boolean {
    try {
      this.starter.checkInput(plan, input);
      return true;
    } catch (error) {
      if (error instanceof StartRefused) return false;
      throw error;
    }
  }

  private async startInSteps(
    name: string,
    wanted: StartRequest,
    id: string,
    traceId: string,
    request: ApiRequest,
  ): Promise<Answer> {
    const version = await this.versionFor(name, wanted.version);
    try {
      this.starter.checkInput(version.plan, wanted.input);
    } catch (error) {
      toProblem(error);
    }
    const order = { ...wanted, id, pipeline: name, ...version, traceId, key: wanted.key ?? null };
    const answer = await inTransaction(this.api.database.pool, async (tx) => {
      const createdAt = await this.starter.start(tx, order);
      const started = startedAnswer(id, version, wanted, traceId, createdAt);
      await request.claim?.complete(tx, started);
      return started;
    }).catch(toProblem);
    this.hints.tell(INTAKE_QUEUE, { ids: [id] });
    return answer;
  }

  /** Read before the transaction begins: a transaction must not wait for a second connection. */
  private async versionFor(name: string, wanted: number | undefined): Promise<VersionPlan> {
    const { any } = this.api.database;
    const [latest] = await this.pipelines.findLatest(any, { names: [name] });
    if (!latest) throw unknownPipeline(name);
    if (wanted === undefined) {
      const version = await this.plans.of(latest.versionId);
      this.plans.noteNewest(version);
      return version;
    }
    const row = await this.pipelines.findVersion(any, { name, version: wanted });
    if (!row) throw notFound(`version ${wanted} of the pipeline ${name}`, 'PIPELINE.VERSION_UNKNOWN');
    return this.plans.of(row.versionId);
  }
}

/** @throws Problem in place of a refusal; everything else as it is */
function toProblem(error: unknown): never {
  if (!(error instanceof StartRefused)) throw error;
  if (error.code === 'PIPELINE.UNKNOWN') throw new Problem({ status: 404, code: error.code, detail: error.message });
  if (error.code === 'EXECUTION.INPUT_REFUSED') throw refused(error.defects, error.code);
  throw conflict(error.code, error.message, error.facts);
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

function traceOf(request: ApiRequest): string | null {
  const header = request.headers.traceparent;
  const found = typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(header) : null;
  return found && !/^0+$/.test(found[1]!) ? found[1]! : null;
}

function startedAnswer(
  id: string,
  version: VersionPlan,
  wanted: StartRequest,
  traceId: string,
  createdAt: Date,
): Answer {
  return created(startedView(id, version, wanted, traceId, createdAt), `/v1/executions/${id}`);
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
