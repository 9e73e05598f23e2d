/**
 * One slow, certain path: finds in a small table what a lost message left behind, and repairs it. Safe in every
 * orchestrator at once.
 */
export interface Sweep {
  readonly name: string;
  readonly intervalMs: number;
  /** @returns how much had to be repaired; 0 when everything went by message */
  runOnce(): Promise<number>;
}
