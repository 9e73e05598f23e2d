import { expandStored, storedEvents, type Plan } from '@app/domain';
import type { EventRow, LogLineRow } from '@app/persistence';
import { exactOrNull, exactText } from '../json/json-text.js';

/** How many facts one stored row may stand for. */
export const longestSpan = Math.max(...Object.values(storedEvents).map((facts) => facts.length));

/** A fact of the event log as the api shows it. */
export interface FactView {
  readonly seq: number;
  readonly type: string;
  readonly at: Date;
}

/** The facts of stored rows with numbers after `after`, in order. */
export function factViews(rows: readonly EventRow[], plan: Plan, after: number): FactView[] {
  return rows.flatMap((row) => {
    const nodeId = row.node === null ? null : (plan.nodes[row.node]?.id ?? String(row.node));
    return expandStored({ seq: row.seq, kind: row.kind, nodeId, attempt: row.attempt, data: row.data })
      .filter((fact) => fact.seq > after)
      .map(({ data, ...fact }) => ({
        ...fact,
        at: row.at,
        ...(row.actor !== null && fact.type.startsWith('attempt.') ? { executor: String(row.actor) } : {}),
        data: data === undefined ? {} : exactText(data),
      }));
  });
}

export function logLineView(line: LogLineRow, plan: Plan) {
  const { n, at, level, attempt, message, fields } = line;
  return {
    n,
    at,
    level,
    nodeId: plan.nodes[line.node]?.id ?? null,
    attempt,
    message,
    fields: exactOrNull(fields) ?? {},
  };
}
