import {
  applyErrorRules,
  checkJson,
  classifyStatus,
  evaluateTemplate,
  evaluateToText,
  ExpressionFailure,
  MissingSecret,
  nextAttemptDelay,
  nodeScope,
  parseRetryAfter,
  type FailureDetail,
  type HandlerConfig,
  type HttpConfig,
  type Outcome,
  type PlannedNode,
  type Scope,
  type ScriptConfig,
  type ShellConfig,
} from '@app/domain';
import { exactText } from '../client/exact-numbers.js';
import type { HandlerContext, HandlerFunction, HandlerLog } from '../handlers/handler.js';
import { endingOfResult, endingOfThrown } from '../handlers/handler-outcome.js';
import type { MemoryExecution, MemoryTask } from './memory-execution.js';

/** A call that an HTTP node makes, as your stand-in sees it. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; undefined where there is none. */
  readonly body: unknown;
  readonly nodeId: string;
  readonly attempt: number;
}

export interface HttpAnswer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A program that a SHELL or SCRIPT node runs. */
export interface CommandCall {
  /** Of SHELL: the program and its arguments; of SCRIPT: the language and the source. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly nodeId: string;
  readonly attempt: number;
}

export interface CommandAnswer {
  readonly exitCode?: number;
  readonly stdout?: string;
}

export interface StandIns {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- handlers of any input
  readonly handlers?: Readonly<Record<string, HandlerFunction<any, unknown>>>;
  readonly http?: (call: HttpCall) => HttpAnswer | Promise<HttpAnswer>;
  readonly command?: (call: CommandCall) => CommandAnswer | Promise<CommandAnswer>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Lines of `ctx.log` and `ctx.progress`. */
  readonly log?: (line: {
    level: string;
    message: string;
    fields?: object;
    nodeId: string;
    executionId: string;
  }) => void;
}

/** A test that asks for what the test kit does not do, or has not been given. Never a failure of the pipeline. */
export class NotInMemory extends Error {
  override readonly name = 'NotInMemory';
}

/** Performs attempts with the functions of a test, and classifies what comes of them by the rules of the engine. */
export class MemoryPerformer {
  constructor(
    private readonly standIns: StandIns,
    private readonly random: () => number,
  ) {}

  readonly secret = (name: string): string | undefined => this.standIns.secrets?.[name];

  async perform(execution: MemoryExecution, node: PlannedNode, task: MemoryTask, nowMs: number): Promise<Outcome> {
    try {
      const scope = nodeScope(execution.plan, node, execution.scope(this.secret));
      const ending = await this.ending(execution, node, task, scope, nowMs);
      return ruled(node, ending);
    } catch (error) {
      if (error instanceof NotInMemory) throw error;
      if (error instanceof MissingSecret)
        throw new NotInMemory(`node ${node.id}: the test has no secret ${error.secret}; give it in \`secrets\``);
      if (!(error instanceof ExpressionFailure)) throw error;
      const { code, message, expression, path } = error;
      return failed({ class: 'PERMANENT', code, message, expression, path });
    }
  }

  private ending(
    execution: MemoryExecution,
    node: PlannedNode,
    task: MemoryTask,
    scope: Scope,
    nowMs: number,
  ): Promise<Ending> {
    switch (node.config.type) {
      case 'HANDLER':
        return this.handle(execution, node, node.config, task, scope);
      case 'HTTP':
        return this.call(node, node.config, task, scope, nowMs);
      case 'SHELL':
      case 'SCRIPT':
        return this.command(node, node.config, task, scope);
      default:
        throw new NotInMemory(`node ${node.id} is performed by nobody`);
    }
  }

  private async handle(
    execution: MemoryExecution,
    node: PlannedNode,
    config: HandlerConfig,
    task: MemoryTask,
    scope: Scope,
  ): Promise<Ending> {
    const handle = this.standIns.handlers?.[config.handler];
    if (!handle) throw new NotInMemory(`node ${node.id} needs the handler ${config.handler}; give it in \`handlers\``);
    const inputText = config.input === null ? scope.input : evaluateTemplate(config.input, scope);
    const log = this.logOf(execution, node);
    const context: HandlerContext = {
      input: JSON.parse(inputText) as unknown,
      inputText,
      executionId: execution.id,
      idempotencyKey: `${execution.id}-${node.index}`,
      attempt: task.attempt,
      signal: new AbortController().signal,
      log,
      progress: (done, total) => log.info('progress', { done, ...(total === undefined ? {} : { total }) }),
    };
    try {
      return { outcome: endingOfResult(await handle(context)).outcome };
    } catch (error) {
      if (error instanceof NotInMemory) throw error;
      return { outcome: endingOfThrown(error).outcome };
    }
  }

  private async call(
    node: PlannedNode,
    config: HttpConfig,
    task: MemoryTask,
    scope: Scope,
    nowMs: number,
  ): Promise<Ending> {
    const { http } = this.standIns;
    if (!http) throw new NotInMemory(`node ${node.id} makes an HTTP call; give a function in \`http\` that answers it`);
    const body = config.body === null ? undefined : (JSON.parse(evaluateTemplate(config.body, scope)) as unknown);
    const url = evaluateToText(config.url, scope);
    const headers = JSON.parse(evaluateTemplate(config.headers, scope)) as Record<string, string>;
    const call: HttpCall = { method: config.method, url, headers, body, nodeId: node.id, attempt: task.attempt };
    let answer: HttpAnswer;
    try {
      answer = await http(call);
    } catch (error) {
      if (error instanceof NotInMemory) throw error;
      const message = `${url}: ${(error as Error).message}`;
      return { outcome: failed({ class: 'TRANSIENT', code: 'HTTP.FAILED', message }) };
    }
    const { status = 200, headers: answered = {}, body: text = null } = answer;
    const output = exactText({ status, headers: answered, body: text });
    if (config.expect.some(([from, to]) => status >= from && status <= to))
      return { outcome: { kind: 'succeeded', output } };
    const wish = Object.entries(answered).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    const retryAfterMs = parseRetryAfter(wish, nowMs);
    const kind = classifyStatus(status, { retryAfterMs });
    const error: FailureDetail = {
      class: kind === 'permanent' ? 'PERMANENT' : 'TRANSIENT',
      code: 'HTTP.STATUS',
      message: `${new URL(url).origin} answered ${status}`,
      status,
    };
    if (kind !== 'snoozed') return { outcome: failed(error), output };
    const endless = { ...node.retry, maxAttempts: Number.POSITIVE_INFINITY };
    const waitMs = retryAfterMs ?? nextAttemptDelay(endless, task.attempt, this.random())!;
    return { outcome: { kind: 'snoozed', waitMs: Math.min(waitMs, node.retry.maxDelayMs), error }, output };
  }

  private async command(
    node: PlannedNode,
    config: ShellConfig | ScriptConfig,
    task: MemoryTask,
    scope: Scope,
  ): Promise<Ending> {
    const { command: run } = this.standIns;
    if (!run)
      throw new NotInMemory(`node ${node.id} runs a program; give a function in \`command\` that stands in for it`);
    const isShell = config.type === 'SHELL';
    const command = isShell
      ? config.command.map((part) => evaluateToText(part, scope))
      : [config.language, config.source];
    const stdin = isShell ? (config.stdin ? evaluateTemplate(config.stdin, scope) : '') : scope.input;
    const env = JSON.parse(evaluateTemplate(config.env, scope)) as Record<string, string>;
    const { exitCode = 0, stdout = '' } = await run({ command, env, stdin, nodeId: node.id, attempt: task.attempt });
    const text = stdout.trim();
    const output = text !== '' && checkJson(text) === null ? text : JSON.stringify(stdout);
    if (exitCode === 0) return { outcome: { kind: 'succeeded', output } };
    const isPermanent = config.permanentExitCodes.some(([from, to]) => exitCode >= from && exitCode <= to);
    const message = `the command exited with code ${exitCode}`;
    const error: FailureDetail = {
      class: isPermanent ? 'PERMANENT' : 'TRANSIENT',
      code: 'SHELL.EXITED',
      message,
      exitCode,
    };
    return { outcome: failed(error), output };
  }

  private logOf(execution: MemoryExecution, node: PlannedNode): HandlerLog {
    const at = (level: string) => (message: string, fields?: object) =>
      this.standIns.log?.({
        level,
        message,
        ...(fields ? { fields } : {}),
        nodeId: node.id,
        executionId: execution.id,
      });
    return Object.assign(at('info'), { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
  }
}

interface Ending {
  readonly outcome: Outcome;
  /** What the output is where a rule of the node makes a success of the failure. */
  readonly output?: string;
}

function failed(error: FailureDetail): Outcome {
  return { kind: 'failed', class: error.class, error };
}

/** The node's own error rules. */
function ruled(node: PlannedNode, { outcome, output }: Ending): Outcome {
  if (outcome.kind !== 'failed' && outcome.kind !== 'snoozed') return outcome;
  const verdict = applyErrorRules(node.errors, outcome.error);
  if (verdict === null) return outcome;
  if (verdict === 'SUCCEEDED') return { kind: 'succeeded', output: output ?? null };
  return failed({ ...outcome.error, class: verdict });
}
