import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { EngineAway, EngineRefused } from './engine-failure.js';
import { parseExact } from './exact-numbers.js';
import { pause } from './pause.js';
import type { Execution, ExecutionEvent, FanOut, LogLine } from './openapi.generated.js';

/** What a stream tells. `state` and `node` are the events of the log, one by one; `id` is the number of the event told last. */
export type StreamFrame =
  | { readonly event: 'snapshot'; readonly id: string; readonly data: Execution }
  | { readonly event: 'state' | 'node'; readonly id: string; readonly data: ExecutionEvent }
  | { readonly event: 'progress'; readonly data: { readonly fanOuts: readonly FanOut[] } }
  | { readonly event: 'log'; readonly data: LogLine }
  | { readonly event: 'end'; readonly data: { readonly state: string | null; readonly deleted?: true } };

/** Opens a stream that goes on behind an event. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;

/** The engine says something every 15 s; one that says nothing for so long is gone. */
const longestSilenceMs = 45_000;
const firstDelayMs = 200;
const longestDelayMs = 5_000;

/**
 * The frames of a stream until its `end`, each event once and in order. A connection that breaks, or falls silent, is made
 * again, and goes on behind the last event that was told; so does one that the engine closes because it stops.
 * @param attempts connections in a row that tell nothing before it gives up
 * @throws EngineRefused; EngineAway when it gives up; the reason of `signal`
 */
export async function* framesOf(
  open: OpenStream,
  { lastEventId, signal, attempts }: { lastEventId?: string; signal?: AbortSignal; attempts: number },
): AsyncGenerator<StreamFrame, void> {
  let last = lastEventId;
  let line = 0;
  for (let silent = 0; ;) {
    for await (const frame of connection(open, last, signal)) {
      silent = 0;
      if (frame.id !== undefined) last = frame.id;
      const told = { ...frame, data: parseExact(frame.data) } as unknown as StreamFrame;
      // Log lines have no event number: a connection made again tells them from the first.
      if (told.event === 'log' && told.data.n <= line) continue;
      if (told.event === 'log') line = told.data.n;
      yield told;
      if (told.event === 'end') return;
    }
    signal?.throwIfAborted();
    if (++silent >= attempts) throw new EngineAway('the stream of the execution broke, and could not be opened again');
    await pause(Math.min(firstDelayMs * 2 ** (silent - 1), longestDelayMs), signal);
  }
}

interface RawFrame {
  readonly event: string;
  readonly id?: string;
  readonly data: string;
}

/** What one connection tells, until it ends or breaks. */
async function* connection(
  open: OpenStream,
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawFrame, void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), longestSilenceMs);
  const frames: RawFrame[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }: EventSourceMessage) =>
      frames.push({ event: event ?? 'message', data, ...(id === undefined ? {} : { id }) }),
  });
  const decoder = new TextDecoder();
  try {
    const end = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    for await (const part of await open(last, end)) {
      timer.refresh();
      parser.feed(decoder.decode(part, { stream: true }));
      yield* frames.splice(0);
    }
  } catch (error) {
    if (error instanceof EngineRefused || signal?.aborted) throw error;
  } finally {
    clearTimeout(timer);
    // Lets the connection go where the frames are left before their end.
    silence.abort();
  }
}
