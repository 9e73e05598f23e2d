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
}

interface Party {
  readonly key: string;
  readonly priority: number;
  readonly weight: number;
  load: number;
  available: number;
}

/**
 * How many of each candidate are admitted, none left out that could have been: the sum is the lesser of `room` and what is
 * available. Deterministic. Takes `room` times the logarithm of the number of candidates.
 */
export function takeTurns(candidates: readonly Candidate[], room: number): Map<string, number> {
  const roots = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const siblings = roots.get(candidate.root);
    if (siblings) siblings.push(candidate);
    else roots.set(candidate.root, [candidate]);
  }
  const shares = share([...roots].map(partyOfRoot), room);
  const admitted = new Map<string, number>();
  for (const [root, count] of shares)
    for (const [key, part] of share(roots.get(root)!.map(partyOf), count)) admitted.set(key, part);
  return admitted;
}

function partyOfRoot([key, candidates]: readonly [string, readonly Candidate[]]): Party {
  const waiting = candidates.filter((candidate) => candidate.available > 0);
  return {
    key,
    priority: Math.max(-1, ...waiting.map((candidate) => candidate.priority)),
    weight: Math.max(Number.MIN_VALUE, ...waiting.map((candidate) => candidate.weight)),
    load: candidates.reduce((sum, candidate) => sum + candidate.running, 0),
    available: waiting.reduce((sum, candidate) => sum + candidate.available, 0),
  };
}

function partyOf({ key, priority, weight, running, available }: Candidate): Party {
  return { key, priority, weight, load: running, available };
}

function share(parties: readonly Party[], room: number): Map<string, number> {
  const shares = new Map<string, number>();
  const heap = parties.filter((party) => party.available > 0).sort((a, b) => (isBefore(a, b) ? -1 : 1));
  for (let left = room; left > 0 && heap.length > 0; left--) {
    const first = heap[0]!;
    shares.set(first.key, (shares.get(first.key) ?? 0) + 1);
    first.load++;
    if (--first.available === 0) {
      const last = heap.pop()!;
      if (last !== first) heap[0] = last;
    }
    sink(heap);
  }
  return shares;
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
