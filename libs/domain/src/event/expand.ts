/** From stored rows to the facts they stand for. */
import { storedEvents, type EventType, type StoredEventKind } from './stored-event.js';

/** One stored row: `seq` is the number of its first fact, `data` exact JSON text. */
export interface StoredEventRow {
  readonly seq: number;
  readonly kind: StoredEventKind;
  readonly at?: string;
  readonly nodeId?: string | null;
  readonly attempt?: number | null;
  readonly data?: string | null;
}

/** One fact of an execution, with its own number. */
export interface EventFact {
  readonly seq: number;
  readonly type: EventType;
  readonly at?: string;
  readonly nodeId?: string;
  readonly attempt?: number;
  /** Exact JSON text. */
  readonly data?: string;
}

/**
 * The facts of a row, numbered from its `seq` on. Facts of the execution name no node and no attempt; an attempt that
 * ended without data has the outcome its row tells.
 */
export function expandStored(row: StoredEventRow): EventFact[] {
  return storedEvents[row.kind].map((type, i) => {
    const isOfNode = !type.startsWith('execution.');
    const data = row.data ?? (type === 'attempt.ended' ? impliedEnd(row.kind) : null);
    return {
      seq: row.seq + i,
      type,
      ...(row.at === undefined ? {} : { at: row.at }),
      ...(isOfNode && row.nodeId != null ? { nodeId: row.nodeId } : {}),
      ...(isOfNode && row.attempt != null ? { attempt: row.attempt } : {}),
      ...(data === null ? {} : { data }),
    };
  });
}

function impliedEnd(kind: StoredEventKind): string | null {
  if (kind === 'attempt_succeeded' || kind === 'all_succeeded') return '{"outcome":"SUCCEEDED","charged":true}';
  if (kind === 'attempt_failed' || kind === 'all_failed') return '{"outcome":"FAILED","charged":true}';
  return null;
}
