/** How long the tasks of a root execution take shows within this time. */
const youngMs = 500;

/**
 * Which root executions have just begun in a queue. How long their tasks take is not known from what else went through the
 * queue, and what is handed out cannot be overtaken; so until it shows they get little of a window that was measured with
 * other work, and a window that was measured with other work alone is measured again.
 */
export class Newcomers {
  private since = new Map<string, number>();

  /**
   * @param roots with something to admit in this turn
   * @param nowMs monotonic
   * @returns `all`: none of them was there before; `young`: those that began beside older ones
   */
  look(roots: readonly string[], nowMs: number): { all: boolean; young: ReadonlySet<string> } {
    const all = !roots.some((root) => this.since.has(root));
    this.since = new Map(roots.map((root) => [root, this.since.get(root) ?? nowMs]));
    const young = roots.filter((root) => nowMs - this.since.get(root)! < youngMs);
    return { all, young: new Set(young.length < roots.length ? young : []) };
  }
}
