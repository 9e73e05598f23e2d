/** What the line of progress tells. */
export interface ProgressFigures {
  /** Null: not known yet. */
  readonly total: number | null;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly running: number;
  /** Failures by cause, the most frequent first. */
  readonly causes: readonly { readonly count: number; readonly words: string }[];
  /** Why nothing moves, where that is known. */
  readonly note: string | null;
}

export interface ProgressOut {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface Seen {
  readonly atMs: number;
  readonly settled: number;
}

const barWidth = 24;
const windowMs = 5_000;

/**
 * One line that is redrawn on a terminal; where there is none, a line now and then. The rate is that of the last seconds, so that a
 * run that was resumed does not count what was done before.
 */
export class Progress {
  private drawn = 0;
  private lastMs = -Infinity;
  private first: Seen | null = null;
  private readonly seen: Seen[] = [];

  constructor(
    private readonly out: ProgressOut,
    private readonly monotonic: () => number,
  ) {}

  /** @param final draws whatever was drawn last */
  show(figures: ProgressFigures, final = false): void {
    const now = this.monotonic();
    if (!final && now - this.lastMs < (this.out.isTTY ? 100 : 5_000)) return;
    this.lastMs = now;
    const settled = figures.succeeded + figures.failed + figures.cancelled;
    this.first ??= { atMs: now, settled };
    this.seen.push({ atMs: now, settled });
    while (this.seen.length > 2 && now - this.seen[0]!.atMs > windowMs) this.seen.shift();
    const lines = this.linesOf(figures, settled, final);
    if (!this.out.isTTY) {
      const note = figures.note === null || final ? '' : `  (${figures.note})`;
      return void this.out.write(`${lines[0]}${note}\n`);
    }
    this.clear();
    this.out.write(lines.map((line) => line.slice(0, Math.max(20, (this.out.columns ?? 80) - 1))).join('\n'));
    this.drawn = lines.length;
    if (final) this.leave();
  }

  /** A line of text above the bar. */
  say(text: string): void {
    this.clear();
    this.out.write(`${text}\n`);
    this.lastMs = -Infinity;
  }

  /** What was drawn stays, and the next text begins on a line of its own. */
  leave(): void {
    if (this.drawn > 0) this.out.write('\n');
    this.drawn = 0;
  }

  private clear(): void {
    if (this.drawn === 0) return;
    this.out.write(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(this.drawn - 1)}`);
    this.drawn = 0;
  }

  private linesOf(figures: ProgressFigures, settled: number, final: boolean): string[] {
    const { total, failed, running, causes, note } = figures;
    const share = total === null ? 0 : total === 0 ? 1 : settled / total;
    const filled = Math.floor(share * barWidth);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
    const rate = this.rate(final ? this.first! : this.seen[0]!);
    const left = total === null ? 0 : total - settled;
    const eta = left > 0 && rate > 0 ? `  ${duration(left / rate)} left` : '';
    const line =
      `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${settled}/${total ?? '?'}` +
      `  failed ${failed}  running ${running}  ${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s${eta}`;
    // What is said behind it tells the causes, and all of them.
    if (final) return [line];
    const told = causes.slice(0, 3).map(({ count, words }) => `  ${String(count).padStart(6)} × ${words}`);
    return [line, ...told, ...(note === null ? [] : [`  ${note}`])];
  }

  /** Rows a second since then. */
  private rate(first: Seen): number {
    const last = this.seen.at(-1)!;
    const seconds = (last.atMs - first.atMs) / 1_000;
    return seconds > 0 ? Math.max(0, last.settled - first.settled) / seconds : 0;
  }
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
