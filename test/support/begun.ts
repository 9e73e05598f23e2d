/**
 * What a test begins now and awaits later. Should the test fail in between, its own failure is the one that is told: a
 * rejection that nobody awaits any more would end the whole run.
 */
export const begun = <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  return work;
};
