import { sleep } from '@app/runtime/clock/sleep.js';
import type { EngineClient } from '../engine/engine-client.js';
import {
  isSettled,
  type ChildView,
  type ExecutionView,
  type FailureGroup,
  type FailureView,
  type FanOutView,
} from '../engine/views.js';
import { plainText } from '../terminal/plain-text.js';
import type { Progress, ProgressFigures } from '../terminal/progress.js';
import type { TakenUp } from './take-up.js';

const lookEveryMs = 500;
const causesEveryMs = 1_000;
const stillAfterMs = 3_000;
/** Rows of a kind that are asked why. */
const lookedAt = 5;
/** Nothing holds such a row back. */
const movingReasons = new Set(['RUNNING', 'WAITING_FOR', 'SETTLED']);

interface Why {
  readonly reason: string;
  readonly detail: string;
}

/** A run of which no row is open any more. */
export interface EndedRun {
  readonly execution: ExecutionView;
  readonly figures: ProgressFigures;
}

/**
 * Shows progress until no row is open, or the signal is aborted; then null.
 * @param atOnce rows that may run at once: what is claimed beyond waits for its turn
 */
export async function follow(
  client: EngineClient,
  { id, again }: TakenUp,
  atOnce: number,
  progress: Progress,
  monotonic: () => number,
  signal: AbortSignal,
): Promise<EndedRun | null> {
  let causes: ProgressFigures['causes'] = [];
  let [causesAtMs, failedThen, movedAtMs, settledThen] = [-Infinity, 0, monotonic(), -1];
  let note: string | null = null;
  let isAwaited = again !== null;
  while (!signal.aborted) {
    // Before the look at the counts: what is taken up between the two is open in them.
    if (isAwaited) isAwaited = await isLeft(client, id, again!);
    const execution = await client.json<ExecutionView>('GET', `/v1/executions/${id}?wait=${lookEveryMs}ms`);
    const fanOut = execution.fanOuts[0];
    const ended = isSettled(execution.state) && !isOpen(fanOut) && !isAwaited;
    const failed = fanOut?.failed ?? 0;
    const now = monotonic();
    if (failed !== failedThen && (ended || now - causesAtMs > causesEveryMs)) {
      causes = await causesOf(client, id);
      [causesAtMs, failedThen] = [now, failed];
    }
    const settled = settledOf(fanOut);
    if (settled !== settledThen) [movedAtMs, settledThen, note] = [now, settled, null];
    else if (!ended && now - movedAtMs > stillAfterMs) {
      note = await noteOf(client, id, execution);
      movedAtMs = now;
    }
    const figures = { ...figuresOf(fanOut, causes, note), running: Math.min(fanOut?.running ?? 0, atOnce) };
    progress.show(figures, ended);
    if (ended) return { execution, figures };
    // Settled, and some of its rows run again: the answer did not wait.
    if (isSettled(execution.state)) await sleep(lookEveryMs, signal);
  }
  return null;
}

/** Whether a row that failed until then has not run again yet. */
async function isLeft(client: EngineClient, id: string, until: string): Promise<boolean> {
  for await (const { finishedAt } of client.pages<ChildView>(`/v1/executions/${id}/children?state=FAILED&limit=1000`))
    if (finishedAt !== null && finishedAt <= until) return true;
  return false;
}

const isOpen = (fanOut: FanOutView | undefined): boolean => fanOut !== undefined && fanOut.spawned > settledOf(fanOut);

const settledOf = (fanOut: FanOutView | undefined): number =>
  fanOut === undefined ? 0 : fanOut.succeeded + fanOut.failed + fanOut.cancelled;

function figuresOf(
  fanOut: FanOutView | undefined,
  causes: ProgressFigures['causes'],
  note: string | null,
): Omit<ProgressFigures, 'running'> {
  const { total = null, succeeded = 0, failed = 0, cancelled = 0 } = fanOut ?? {};
  return { total, succeeded, failed, cancelled, causes, note };
}

async function causesOf(client: EngineClient, id: string): Promise<ProgressFigures['causes']> {
  const { items } = await client.json<{ items: FailureGroup[] }>('GET', `/v1/executions/${id}/failures?limit=10`);
  return items
    .map(({ count, code, message }) => ({ count, words: plainText(message ?? code) }))
    .sort((a, b) => b.count - a.count);
}

/** Why nothing has settled for a while: of rows that have begun, what holds one back; else of those that have not. */
async function noteOf(client: EngineClient, id: string, execution: ExecutionView): Promise<string | null> {
  if (execution.state === 'PAUSED') return `paused; go on with: fanfold resume ${id}`;
  for (const states of ['state=RUNNING', 'state=READY&state=PENDING']) {
    const path = `/v1/executions/${id}/children?${states}&limit=${lookedAt}`;
    const { items } = await client.json<{ items: ChildView[] }>('GET', path);
    for (const child of items) {
      const { reason, detail } = await client.json<Why>('GET', `/v1/executions/${child.id}/why`);
      if (movingReasons.has(reason)) continue;
      const last = await lastErrorOf(client, child.id);
      return plainText(`a row waits: ${reason}, ${detail}${last === null ? '' : `; its last attempt: ${last}`}`);
    }
  }
  return null;
}

async function lastErrorOf(client: EngineClient, id: string): Promise<string | null> {
  let last: string | null = null;
  for await (const { error } of client.pages<{ error: FailureView | null }>(`/v1/executions/${id}/attempts?limit=1000`))
    if (error) last = error.message ?? error.code ?? null;
  return last;
}
