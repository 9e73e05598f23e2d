/** Something that began, and how much of it. */
export interface Start {
  /** Milliseconds. */
  readonly at: number;
  readonly units: number;
}

/** The most units in any window of that length, wherever it begins. */
export const densest = (starts: readonly Start[], lengthMs: number): number => {
  const sorted = starts.toSorted((a, b) => a.at - b.at);
  let most = 0;
  let units = 0;
  let first = 0;
  for (const start of sorted) {
    units += start.units;
    while (sorted[first]!.at <= start.at - lengthMs) units -= sorted[first++]!.units;
    most = Math.max(most, units);
  }
  return most;
};
