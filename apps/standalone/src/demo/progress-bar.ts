import type { FanOutView } from './engine-client.js';

const width = 30;

/** A bar that is redrawn on a terminal, and a line now and then where there is none. */
export class ProgressBar {
  private last = 0;
  private drawn = false;
  private settledBefore: number | null = null;

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly monotonic: () => number,
    private readonly startedAt = monotonic(),
  ) {}

  show(fanOut: FanOutView, final = false): void {
    const now = this.monotonic();
    if (!final && now - this.last < (this.out.isTTY ? 100 : 1_000)) return;
    this.last = now;
    const total = fanOut.total ?? fanOut.spawned;
    const settled = fanOut.succeeded + fanOut.failed;
    this.settledBefore ??= settled;
    const share = total === 0 ? 1 : settled / total;
    const filled = Math.floor(share * width);
    const rate = Math.round(Math.max(0, settled - this.settledBefore) / Math.max(0.1, (now - this.startedAt) / 1_000));
    const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
    const line = `  ${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${settled}/${total}  ok ${fanOut.succeeded}  failed ${fanOut.failed}  running ${fanOut.running}  ${rate}/s`;
    if (this.out.isTTY) this.out.write(`${this.drawn ? '\r\u001b[2K' : ''}${line}${final ? '\n' : ''}`);
    else this.out.write(`${line}\n`);
    this.drawn = true;
  }
}
