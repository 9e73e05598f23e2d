import type { StoredEventKind, TaskState } from '@app/domain';
import type { Tx } from '../database/database.js';
import type { ExecutionRow, ExecutionStateName } from './execution-columns.js';
import { findExecution } from './find-execution.sql.js';
import { listAncestors } from './list-ancestors.sql.js';
import { listAttempts } from './list-attempts.sql.js';
import { listEventsOfMany } from './list-events-of-many.sql.js';
import { listEvents } from './list-events.sql.js';
import { listExecutions } from './list-executions.sql.js';
import { listLogLinesOfMany } from './list-log-lines-of-many.sql.js';
import { listLogLines } from './list-log-lines.sql.js';
import { listTasks } from './list-tasks.sql.js';
import { payloadSizes } from './payload-sizes.sql.js';
import { readInputs } from './read-inputs.sql.js';
import { readOutputs } from './read-outputs.sql.js';
import { scanChildren } from './scan-children.sql.js';
import { scanTopLevel } from './scan-top-level.sql.js';
import { versionIds } from './version-ids.sql.js';
import { watchExecutions } from './watch-executions.sql.js';

export interface TaskRow {
  readonly node: number;
  readonly state: TaskState;
  readonly attempt: number;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly availableAt: Date | null;
  readonly error: string | null;
  /** Null where it was not asked for. */
  readonly output: string | null;
}
export interface EventRow {
  readonly seq: number;
  readonly at: Date;
  readonly kind: StoredEventKind;
  readonly node: number | null;
  readonly attempt: number | null;
  /** The executor incarnation it is about. */
  readonly actor: number | null;
  readonly data: string | null;
}
export interface AttemptRow {
  readonly seq: number;
  readonly node: number;
  readonly attempt: number;
  readonly actor: number | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly endKind: StoredEventKind | null;
  readonly endData: string | null;
}
export interface LogLineRow {
  readonly n: number;
  readonly at: Date;
  readonly level: string;
  readonly node: number;
  readonly attempt: number;
  readonly message: string;
  readonly fields: string | null;
}
export interface ExecutionFilters {
  readonly states: readonly ExecutionStateName[] | null;
  readonly versionIds: readonly number[] | null;
  readonly since: Date | null;
  /** JSON text of an object that the labels must contain. */
  readonly labels: string | null;
}
export interface ChildFilters extends ExecutionFilters {
  readonly fingerprint: string | null;
  readonly text: string | null;
  readonly rootId: string | null;
}
/** What a bounded look through a range of ids has picked, and where it ended. */
export interface Scan {
  readonly ids: string[];
  readonly lastId: string | null;
  readonly scanned: number;
}
export interface ScanRange {
  readonly after: string;
  readonly to: string;
  readonly look: number;
  readonly pick: number;
}
export interface WatchedRow {
  readonly id: string;
  readonly state: ExecutionStateName;
  readonly seq: number;
}

/** Executions as people look at them. Nothing here changes anything. */
export class ExecutionReadingStore {
  async find(tx: Tx, args: { id: string }): Promise<(ExecutionRow & { input: string }) | null> {
    return (await tx.query<ExecutionRow & { input: string }>(findExecution, [args.id])).rows[0] ?? null;
  }

  /** In no particular order; missing ids are left out. */
  async list(tx: Tx, args: { ids: readonly string[] }): Promise<ExecutionRow[]> {
    return args.ids.length === 0 ? [] : (await tx.query<ExecutionRow>(listExecutions, [args.ids])).rows;
  }

  /** @param args.outputsOf nodes whose output is wanted */
  async tasks(tx: Tx, args: { id: string; outputsOf: readonly number[] }): Promise<TaskRow[]> {
    return (await tx.query<TaskRow>(listTasks, [args.id, args.outputsOf])).rows;
  }

  async outputs(
    tx: Tx,
    args: { ids: readonly string[]; nodes: readonly number[] },
  ): Promise<{ executionId: string; node: number; output: string | null }[]> {
    if (args.ids.length === 0) return [];
    return (
      await tx.query<{ executionId: string; node: number; output: string | null }>(readOutputs, [args.ids, args.nodes])
    ).rows;
  }

  async inputs(tx: Tx, args: { ids: readonly string[] }): Promise<{ id: string; input: string }[]> {
    return args.ids.length === 0 ? [] : (await tx.query<{ id: string; input: string }>(readInputs, [args.ids])).rows;
  }

  async payloadSizes(
    tx: Tx,
    args: { ids: readonly string[]; input: boolean; output: boolean },
  ): Promise<{ id: string; bytes: number }[]> {
    return (await tx.query<{ id: string; bytes: number }>(payloadSizes, [args.ids, args.input, args.output])).rows;
  }

  async scanChildren(tx: Tx, args: ScanRange & ChildFilters): Promise<Scan> {
    const { after, to, look, pick, states, fingerprint, text, rootId, since, labels } = args;
    const values = [after, to, look, pick, states, fingerprint, text, rootId, args.versionIds, since, labels];
    return (await tx.query<Scan>(scanChildren, values)).rows[0]!;
  }

  /** Newest first: `after` is the id to go down from. */
  async scanTopLevel(tx: Tx, args: ScanRange & ExecutionFilters): Promise<Scan> {
    const { after, to, look, pick, states, since, labels } = args;
    const values = [after, to, look, pick, states, args.versionIds, since, labels];
    return (await tx.query<Scan>(scanTopLevel, values)).rows[0]!;
  }

  async versionIds(tx: Tx, args: { pipeline: string }): Promise<number[]> {
    return (await tx.query<{ id: number }>(versionIds, [args.pipeline])).rows.map((row) => row.id);
  }

  async watched(tx: Tx, args: { ids: readonly string[] }): Promise<WatchedRow[]> {
    return (await tx.query<WatchedRow>(watchExecutions, [args.ids])).rows;
  }

  async events(tx: Tx, args: { id: string; from: number; limit: number }): Promise<EventRow[]> {
    return (await tx.query<EventRow>(listEvents, [args.id, args.from, args.limit])).rows;
  }

  async eventsOfMany(
    tx: Tx,
    args: { ids: readonly string[]; from: readonly number[]; limit: number },
  ): Promise<(EventRow & { executionId: string })[]> {
    return (await tx.query<EventRow & { executionId: string }>(listEventsOfMany, [args.ids, args.from, args.limit]))
      .rows;
  }

  async attempts(tx: Tx, args: { id: string; after: number; limit: number }): Promise<AttemptRow[]> {
    return (await tx.query<AttemptRow>(listAttempts, [args.id, args.after, args.limit])).rows;
  }

  async logLines(
    tx: Tx,
    args: { id: string; after: number; attempt: number | null; limit: number },
  ): Promise<LogLineRow[]> {
    return (await tx.query<LogLineRow>(listLogLines, [args.id, args.after, args.attempt, args.limit])).rows;
  }

  async logLinesOfMany(
    tx: Tx,
    args: { ids: readonly string[]; after: readonly number[]; limit: number },
  ): Promise<(LogLineRow & { executionId: string })[]> {
    if (args.ids.length === 0) return [];
    const values = [args.ids, args.after, args.limit];
    return (await tx.query<LogLineRow & { executionId: string }>(listLogLinesOfMany, values)).rows;
  }

  /** The root first. */
  async ancestorIds(tx: Tx, args: { id: string }): Promise<string[]> {
    return (await tx.query<{ id: string }>(listAncestors, [args.id])).rows.map((row) => row.id);
  }
}
