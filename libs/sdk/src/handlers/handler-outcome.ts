import { checkJson, parseDuration, type Outcome } from '@app/domain';

const longestMessage = 4_000;

/** What an attempt of a handler ended with, and the destination that the handler named in its error. */
export interface HandlerEnding {
  readonly outcome: Extract<Outcome, { kind: 'succeeded' | 'failed' | 'snoozed' }>;
  readonly destination: string | null;
}

/** Of what a handler returned: JSON, nothing, or an exact text. What is no JSON is a permanent failure. */
export function endingOfResult(result: unknown): HandlerEnding {
  const read = outputText(result);
  if ('output' in read) return { outcome: { kind: 'succeeded', output: read.output }, destination: null };
  const message = `what the handler returned is no JSON: ${read.why}`.slice(0, longestMessage);
  const error = { class: 'PERMANENT', code: 'HANDLER.OUTPUT_INVALID', message } as const;
  return { outcome: { kind: 'failed', class: 'PERMANENT', error }, destination: null };
}

interface Thrown {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly fanfold?: unknown;
  readonly retryAfter?: unknown;
  readonly destination?: unknown;
}

/** Of what a handler threw. What says nothing about itself is worth another attempt. */
export function endingOfThrown(error: unknown): HandlerEnding {
  const thrown = (typeof error === 'object' && error !== null ? error : { message: error }) as Thrown;
  const class_ = thrown.fanfold === 'permanent' ? 'PERMANENT' : 'TRANSIENT';
  const code = typeof thrown.code === 'string' && thrown.code !== '' ? thrown.code.slice(0, 128) : 'HANDLER.FAILED';
  const destination = typeof thrown.destination === 'string' ? thrown.destination : null;
  const facts = {
    class: class_,
    code,
    message: textOf(thrown.message).slice(0, longestMessage),
    ...(destination ? { destination } : {}),
  } as const;
  const waitMs = thrown.fanfold === 'transient' ? waitOf(thrown.retryAfter) : null;
  if (waitMs === null) return { outcome: { kind: 'failed', class: class_, error: facts }, destination };
  return { outcome: { kind: 'snoozed', waitMs, error: facts }, destination };
}

function outputText(result: unknown): { readonly output: string | null } | { readonly why: string } {
  if (result === undefined) return { output: null };
  const exact = exactTextOf(result);
  if (exact !== null) {
    const defect = checkJson(exact);
    return defect ? { why: defect.message } : { output: exact.trim() };
  }
  try {
    const text = JSON.stringify(result) as string | undefined;
    return text === undefined ? { why: `it is a ${typeof result}` } : { output: text };
  } catch (error) {
    return { why: textOf((error as Error | null)?.message).split('\n')[0]! };
  }
}

function exactTextOf(result: unknown): string | null {
  const { fanfold, text } = (typeof result === 'object' && result !== null ? result : {}) as {
    fanfold?: unknown;
    text?: unknown;
  };
  return fanfold === 'json' && typeof text === 'string' ? text : null;
}

function waitOf(retryAfter: unknown): number | null {
  if (typeof retryAfter === 'number') return Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter * 1_000 : null;
  if (typeof retryAfter !== 'string') return null;
  return /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : parseDuration(retryAfter);
}

/** Text of anything, even of what has none. */
export function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : String(value);
  } catch {
    return 'something that cannot be shown';
  }
}
