/**
 * Taking turns: who gets the room there is. Each root execution has a load, what it runs already; the next place goes to
 * the root with the smallest load for its weight, and within a root to the candidate with the smallest. So the shares go
 * towards the weights whatever anyone has waiting: 200,000 waiting items of one root never delay ten of another, and a
 * high priority goes first without starving the rest.
 */
export interface Candidate {
  /** What is admitted: a fan-out, or a top-level execution. Unique. */
  readonly key: string;
  /** Id of its root execution. */
  readonly root: string;
  /** 0..9, 9 first where loads are equal. */
  readonly priority: number;
  /** Share against others, above 0; `1 + priority` is a good one. A root has the largest of its candidates. */
  readonly weight: number;
  /** Handed out and not settled. */
  readonly running: number;
  /** Waiting, and allowed by the candidate's own limits. */
  readonly available: number;
  /** Limits it shares with others; names that nothing is known of limit nothing. */
  readonly limits?: readonly string[];
}

interface Party {
  readonly key: string;
  readonly priority: number;
  readonly weight: number;
  load: number;
}

interface Waiting extends Party {
  readonly limits: readonly string[];
  available: number;
}

interface Root extends Party {
  /** A heap. */
  readonly waiting: Waiting[];
}

/**
 * How many of each candidate are admitted, none left out that could have been: without shared limits the sum is the lesser
 * of `room` and what is available. Deterministic. Takes `room` times the logarithm of the number of candidates.
 *
 * @param limits what is left of limits that candidates share, by name (a destination, say); it is divided by the same turns, so
 *   that whoever is first in some list does not get all of it
 * @param running what roots run in all, where that is known to be more than their candidates do
 */
export function takeTurns(
  candidates: readonly Candidate[],
  room: number,
  limits: ReadonlyMap<string, number> = new Map(),
  running: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const left = new Map(limits);
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const siblings = groups.get(candidate.root);
    if (siblings) siblings.push(candidate);
    else groups.set(candidate.root, [candidate]);
  }
  const roots = heapOf([...groups].map(rootOf).filter((root) => root.waiting.length > 0));
  const admitted = new Map<string, number>();
  for (let places = room; places > 0 && roots.length > 0;) {
    const root = roots[0]!;
    const first = root.waiting[0];
    if (!first) removeFirst(roots);
    else if (first.available === 0 || first.limits.some((name) => left.get(name)! <= 0)) removeFirst(root.waiting);
    else {
      admitted.set(first.key, (admitted.get(first.key) ?? 0) + 1);
      for (const name of first.limits) left.set(name, left.get(name)! - 1);
      first.available--;
      first.load++;
      root.load++;
      places--;
      sink(root.waiting);
      sink(roots);
    }
  }
  return admitted;

  function rootOf([key, members]: readonly [string, readonly Candidate[]]): Root {
    const waiting = members.filter((candidate) => candidate.available > 0);
    return {
      key,
      priority: Math.max(-1, ...waiting.map((candidate) => candidate.priority)),
      weight: Math.max(Number.MIN_VALUE, ...waiting.map((candidate) => candidate.weight)),
      load: Math.max(
        running.get(key) ?? 0,
        members.reduce((sum, candidate) => sum + candidate.running, 0),
      ),
      waiting: heapOf(waiting.map(waitingOf)),
    };
  }

  function waitingOf({ key, priority, weight, running, available, limits: names = [] }: Candidate): Waiting {
    return { key, priority, weight, load: running, available, limits: names.filter((name) => left.has(name)) };
  }
}

/** An ordered list is a heap. */
function heapOf<P extends Party>(parties: P[]): P[] {
  return parties.sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function removeFirst(heap: Party[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  sink(heap);
}

/** Restores the order of a binary heap whose first element has grown. */
function sink(heap: Party[]): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[child]!, heap[at]!)) return;
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}

function isBefore(a: Party, b: Party): boolean {
  const loads = a.load * b.weight - b.load * a.weight;
  if (loads !== 0) return loads < 0;
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.key < b.key;
}
