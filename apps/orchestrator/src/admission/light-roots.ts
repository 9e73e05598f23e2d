/**
 * Root executions that run no more than an equal share of the slots, with what they are handed out now. What they are handed out goes
 * ahead of the others: a window full of somebody else's tasks is not theirs to wait for. Nobody is light who is alone.
 * @param loads tasks that run or are handed out, any number of entries for a root
 */
export function lightRoots(
  loads: readonly { readonly root: string; readonly size: number }[],
  slots: number,
): ReadonlySet<string> {
  const sums = new Map<string, number>();
  for (const { root, size } of loads) sums.set(root, (sums.get(root) ?? 0) + size);
  if (sums.size < 2) return new Set();
  const share = slots / sums.size;
  return new Set([...sums].filter(([, sum]) => sum <= share).map(([root]) => root));
}
