/** What travels between processes: ids, never data. Any of it may be lost, doubled, delayed or reordered. */

/** `execution.created`: executions to be laid out. */
export interface IntakeMessage {
  readonly ids: readonly string[];
}

/** `task.ready`: a hand-out. Everything but its id is a copy of its row, so that a claim needs no look-up first. */
export interface HandoutMessage {
  readonly handout: number;
  readonly queue: string;
  /** Root execution of all tasks in it: whose gate the claim passes. */
  readonly root: string;
  readonly parent: string | null;
  readonly fanOut: number | null;
  readonly version: number;
  /** Positions of the inline spawners from the version's plan down to the plan of these tasks. */
  readonly path: readonly number[];
  readonly node: number;
  readonly size: number;
  /** The ids are one range. */
  readonly range: boolean;
  readonly suspect: boolean;
  readonly destinations: readonly string[];
}

/** `task.recorded`: a batch of recorded outcomes. */
export interface RecordedMessage {
  readonly batch: number;
  /** All of them successes that settle a child of one node. */
  readonly plain: boolean;
  /** Where all of them are of one top-level execution. */
  readonly of?: RecordedNodes | undefined;
}

/** Nodes of one top-level execution, and the version of its pipeline. */
export interface RecordedNodes {
  readonly id: string;
  readonly version: number;
  readonly nodes: readonly number[];
}

/** `execution.settled` */
export interface SettledSignal {
  readonly ids: readonly string[];
}

/**
 * Running calls that are to end: of executions, or of single claims by their names. Of what was paused, only what was claimed and has
 * not begun is given up, and is handed back.
 */
export interface AbortSignalMessage {
  readonly claims?: readonly string[];
  readonly ids?: readonly string[];
  readonly fanOuts?: readonly number[];
  readonly roots?: readonly string[];
  /** Roots of what was paused. */
  readonly pausedRoots?: readonly string[];
  /** Names of destinations that were paused, `host:…` for their hosts. */
  readonly pausedDestinations?: readonly string[];
}

/** The name of one claim of one task, the same in every process. */
export function claimName(executionId: string, node: number, fencingToken: number): string {
  return `${executionId}/${node}#${fencingToken}`;
}
