import { classifyStatus, nextAttemptDelay, parseRetryAfter, type FailureDetail, type HttpConfig } from '@app/domain';
import type { Clock, Random } from '@app/runtime';
import type { Agent } from 'undici';
import type { DestinationGate } from '../destinations/destination-gate.js';
import type { CallEnd } from '../destinations/destination-throttle.js';
import { hostAndPort, targetOfUrl, type Target } from '../destinations/target.js';
import { headerOf, outputOf, readBody, type AnswerBody } from './http/answer.js';
import { call, type CallAnswer, type CallRequest } from './http/call.js';
import { networkFailure, statusMessage } from './http/network-failure.js';
import { redirected } from './http/redirect.js';
import { requestOf } from './http/request.js';
import { outputTooLarge } from './output-limit.js';
import { AttemptFailure, NotNow, patience, type Ending, type NodePerformer, type Performance } from './performance.js';

/** How much of an answer that is no success is read, where no rule of the node may make it one. */
const mostOfFailure = 65_536;
const excerptBytes = 1_024;

interface Exchange {
  readonly url: URL;
  readonly answer: CallAnswer;
  readonly target: Target;
}

/** HTTP: one call and its redirects. */
export class HttpPerformer implements NodePerformer {
  readonly type = 'HTTP' as const;

  constructor(
    private readonly agent: Agent,
    private readonly gate: Pick<DestinationGate, 'enter'>,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  async perform(performance: Performance): Promise<Ending> {
    const { task, scope, maxOutput } = performance;
    const config = task.node.config as HttpConfig;
    const exchange = await this.follow(config, requestOf(config, task, scope), performance);
    const { answer, target, url } = exchange;
    const isExpected = expects(config, answer.status);
    if (isExpected) {
      const body = await readBody(answer, maxOutput);
      if (!body || answer.isCut) throw outputTooLarge(maxOutput);
      return { outcome: { kind: 'succeeded', output: outputOf(answer, body) }, target };
    }
    const body = await readBody(answer, mostRead(performance)).catch(() => null);
    return this.failure(performance, { answer, target, url }, body ?? { text: '', json: '""' });
  }

  private async follow(config: HttpConfig, request: CallRequest, performance: Performance): Promise<Exchange> {
    for (let hop = 0; ; hop++) {
      const exchange = await this.exchange(config, request, performance, hop);
      if (config.redirects === 0 || expects(config, exchange.answer.status)) return exchange;
      const next = redirected(request, exchange.answer, performance.secrets);
      if (!next) return exchange;
      if (hop >= config.redirects)
        throw new AttemptFailure(
          'PERMANENT',
          'HTTP.TOO_MANY_REDIRECTS',
          `redirected more than ${config.redirects} times`,
          {
            status: exchange.answer.status,
          },
        );
      request = next;
    }
  }

  /** One call, within the limits of where it goes. A host that the definition names has its place since the claim. */
  private async exchange(
    config: HttpConfig,
    request: CallRequest,
    performance: Performance,
    hop: number,
  ): Promise<Exchange> {
    const { task, signal } = performance;
    const { url } = request;
    const written = hop === 0 ? config.host : null;
    const target = targetOfUrl(task.node, url, written);
    const leave = written === null ? await this.enter(performance, target, url) : () => undefined;
    const began = this.clock.monotonic();
    try {
      const most = (status: number) => (expects(config, status) ? performance.maxOutput : mostRead(performance));
      const answer = await call(this.agent, request, signal, most);
      performance.ended(target, expects(config, answer.status) ? 'answered' : this.endOf(answer), began);
      return { url, answer, target };
    } catch (error) {
      if (signal.aborted) {
        if (isTimeout(signal.reason)) performance.ended(target, 'late', began);
        throw error;
      }
      const failure = networkFailure(error, url);
      if (failure.failureClass === 'TRANSIENT') performance.ended(target, 'failing', began);
      throw failure;
    } finally {
      leave();
    }
  }

  private endOf(answer: CallAnswer): CallEnd {
    const retryAfterMs = parseRetryAfter(headerOf(answer, 'retry-after'), this.clock.now());
    const kind = classifyStatus(answer.status, { retryAfterMs });
    if (kind === 'snoozed') return 'busy';
    return kind === 'transient' && answer.status >= 500 ? 'failing' : 'answered';
  }

  private async enter({ task, signal }: Performance, target: Target, url: URL): Promise<() => void> {
    const entry = await this.gate.enter(task, target, signal);
    if (entry.kind === 'open') {
      if (!signal.aborted) return entry.leave;
      entry.leave();
      throw signal.reason;
    }
    const spread = 0.75 + this.random.fraction() / 2;
    const later = (code: string, message: string, waitMs: number) =>
      new NotNow(code, message, waitMs, { destination: hostAndPort(url) });
    if (entry.kind === 'paused')
      throw later('DESTINATION.PAUSED', `${url.host} is paused`, patience(task.attempt, 700, 15_000) * spread);
    if (entry.kind === 'throttled')
      throw later('DESTINATION.THROTTLED', `${url.host} asked to be called later`, entry.waitMs + 250 * spread);
    if (entry.kind === 'full')
      throw later(
        'DESTINATION.FULL',
        `all places at ${url.host} are taken`,
        patience(task.attempt, 500, 60_000) * spread,
      );
    throw later('DESTINATION.UNKNOWN', `the limits of ${url.host} could not be looked up`, 1_000 * spread);
  }

  private failure(
    { task, secrets, maxOutput }: Performance,
    { answer, target, url }: Exchange,
    body: AnswerBody,
  ): Ending {
    const { status } = answer;
    const retryAfterMs = parseRetryAfter(headerOf(answer, 'retry-after'), this.clock.now());
    const kind = classifyStatus(status, { retryAfterMs });
    const text = secrets.redact(body.text);
    const error: FailureDetail = {
      class: kind === 'permanent' ? 'PERMANENT' : 'TRANSIENT',
      code: 'HTTP.STATUS',
      message: statusMessage(url, status),
      status,
      body: excerpt(text),
      ...(kind === 'snoozed' ? { destination: url.host } : {}),
    };
    const output = answer.isCut ? outputTooLarge(maxOutput) : outputOf(answer, body);
    if (kind !== 'snoozed') return { outcome: { kind: 'failed', class: error.class, error }, output, matchable: text };
    const waitMs =
      retryAfterMs ??
      nextAttemptDelay(
        { ...task.node.retry, maxAttempts: Infinity },
        Math.min(task.attempt, 100),
        this.random.fraction(),
      )!;
    const itself = retryAfterMs !== null;
    return { outcome: { kind: 'snoozed', waitMs, error }, output, matchable: text, target, itself };
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.message === 'timeout';
}

function expects(config: HttpConfig, status: number): boolean {
  return config.expect.some(([from, to]) => from <= status && status <= to);
}

function mostRead({ task, maxOutput }: Performance): number {
  return task.node.errors.some((rule) => rule.treatAs === 'SUCCEEDED') ? maxOutput : Math.min(maxOutput, mostOfFailure);
}

/** The beginning of a text, without half a character at its end. */
function excerpt(text: string): string {
  return new TextDecoder().decode(Buffer.from(text.slice(0, excerptBytes)).subarray(0, excerptBytes), { stream: true });
}
