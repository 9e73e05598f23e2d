import { parseDuration, parsePipeline, topLevelId, type Plan } from '@app/domain';
import { exactText, parseExact } from '../client/exact-numbers.js';
import type { DefinedPipeline } from '../pipeline/defined-pipeline.js';
import { PipelineInvalid } from '../pipeline/define-pipeline.js';
import { MemoryEngine, type Taking } from './memory-engine.js';
import { MemoryExecution, type MemoryAttempt } from './memory-execution.js';
import { MemoryPerformer, NotInMemory, type StandIns } from './memory-performer.js';
import { VirtualTime } from './virtual-time.js';

export interface MemoryRunOptions<Input> extends StandIns {
  readonly input?: Input;
  readonly labels?: Readonly<Record<string, string>>;
  /** Pipelines that its nodes start. */
  readonly pipelines?: readonly (DefinedPipeline | Definition)[];
  /** Items by the id that the input gives. */
  readonly datasets?: Readonly<Record<string, readonly unknown[]>>;
  /** Signals that are sent while it runs, so long after its start: `{ name: 'approve', body: {…}, after: '2h' }`. */
  readonly signals?: readonly { readonly name: string; readonly body?: unknown; readonly after?: string }[];
  /** How long an attempt takes, in virtual milliseconds; default 0. One that takes longer than its time-out fails with it. */
  readonly takes?: (of: Taking) => number;
  /** When it starts; default 2026-01-01. */
  readonly now?: Date;
  /** For the jitter of retries, 0 to 1; default 0.5: none. */
  readonly random?: () => number;
}

type Definition = { readonly name: string; readonly nodes: readonly unknown[] };

/** What an attempt was and how it ended. */
export interface RunAttempt extends Omit<MemoryAttempt, 'error'> {
  readonly error: RunFailure | null;
}

export interface RunFailure {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  readonly nodeId?: string;
  readonly [fact: string]: unknown;
}

/** An execution as it stands at the end of a run. */
export interface RunExecution {
  /** RUNNING where it waits for what nobody sent or gave. */
  readonly state: 'PENDING' | 'READY' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  readonly input: unknown;
  /** Integers that a number would round are `bigint`. */
  readonly output: unknown;
  readonly error: RunFailure | null;
  readonly attempts: readonly RunAttempt[];
  readonly node: (id: string) => RunNode;
  /** Children of a spawner, in item order. */
  readonly children: (spawner: string) => readonly RunChild[];
}

export interface RunNode {
  /** Null: it was never laid out. */
  readonly state: string | null;
  readonly output: unknown;
  readonly error: RunFailure | null;
  readonly attempts: number;
}

export interface RunChild extends RunExecution {
  readonly index: number;
  readonly key: string | null;
  readonly item: unknown;
}

export interface MemoryRun<Output> extends RunExecution {
  readonly output: Output | null;
  /** How long it took, in virtual milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Runs a pipeline in memory, on virtual time and with functions of the test where an engine would call out: no server, and an
 * hour's wait takes no time. Retries, back-off, joins, tolerances, verdicts, templates and time-outs of attempts, edges and
 * signals are decided by the engine's own functions. Not there: limits of destinations and quotas, `rollout`, `freeze`, pauses,
 * the time-out of a whole pipeline, and anything that dies.
 * @throws NotInMemory where the pipeline needs what was not given; PipelineInvalid
 */
export async function runInMemory<Input, Output>(
  pipeline: DefinedPipeline<Input, Output> | Definition,
  options: MemoryRunOptions<Input> = {},
): Promise<MemoryRun<Output>> {
  const { now = new Date('2026-01-01T00:00:00Z'), random = () => 0.5, takes = () => 0 } = options;
  const plans = new Map((options.pipelines ?? []).map(planOf).map((plan) => [plan.name, plan]));
  const datasets = new Map(Object.entries(options.datasets ?? {}).map(([id, items]) => [id, items.map(exactText)]));
  const time = new VirtualTime(now.getTime());
  const engine = new MemoryEngine(time, new MemoryPerformer(options, random), { plans, datasets }, random, takes);
  const id = topLevelId(now.getTime(), new Uint8Array(10));
  const labels = JSON.stringify(options.labels ?? {});
  const root = new MemoryExecution(id, id, planOf(pipeline), exactText(options.input ?? {}), labels, null);
  engine.start(root);
  options.signals?.forEach(({ name, body = {}, after = '0s' }, n) =>
    time.after(millis(after), () => engine.signal(root, n, name, exactText(body))),
  );
  await time.run(() => root.isOver);
  const elapsedMs = (root.endedMs ?? time.nowMs) - now.getTime();
  return { ...viewOf(root), elapsedMs } as MemoryRun<Output>;
}

function millis(duration: string): number {
  const ms = parseDuration(duration);
  if (ms === null) throw new NotInMemory(`signals: after must be a duration such as "5m", is ${duration}`);
  return ms;
}

function planOf(pipeline: DefinedPipeline<never> | Definition): Plan {
  const definition = 'definition' in pipeline ? pipeline.definition : pipeline;
  const parsed = parsePipeline(exactText(definition));
  if (!parsed.ok) throw new PipelineInvalid(pipeline.name, parsed.defects);
  return parsed.plan;
}

function viewOf(execution: MemoryExecution): RunExecution {
  const nodeOf = (id: string) => {
    const node = execution.plan.nodes.find((one) => one.id === id);
    if (!node) throw new NotInMemory(`the pipeline ${execution.plan.name} has no node ${id}`);
    return node;
  };
  return {
    state: execution.state.toUpperCase() as RunExecution['state'],
    input: parseExact(execution.input),
    output: valueOf(execution.output),
    error: failureOf(execution.error),
    attempts: execution.attempts.map((attempt) => ({ ...attempt, error: failureOf(attempt.error) })),
    node: (id) => {
      const task = execution.tasks.get(nodeOf(id).index);
      if (!task) return { state: null, output: null, error: null, attempts: 0 };
      const { state, output, error, attempt } = task;
      return { state: state.toUpperCase(), output: valueOf(output), error: failureOf(error), attempts: attempt };
    },
    children: (spawner) =>
      (execution.fanOuts.get(nodeOf(spawner).index)?.children ?? []).map((child) => {
        const { index, key, item } = child.lineage!;
        return { ...viewOf(child), index, key, item: parseExact(item) };
      }),
  };
}

function valueOf(text: string | null): unknown {
  return text === null ? null : parseExact(text);
}

function failureOf(text: string | null): RunFailure | null {
  return text === null ? null : (JSON.parse(text) as RunFailure);
}
