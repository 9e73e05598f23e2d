import type { Database, LogLine, RecordStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import type { ClaimedTask } from './claimed-task.js';
import type { LogLevel } from './performer.js';

const maxLines = 1_000;
const maxBytes = 262_144;
const flushEveryMs = 250;

interface Kept {
  lines: LogLine[];
  bytes: number;
  written: number;
  cut: boolean;
}

/**
 * Lines of attempts (`ctx.log`, stderr), written in batches a few times a second. At most 1,000 lines and 256 KiB an attempt;
 * beyond it lines are dropped and the cut is marked.
 */
export class AttemptLog {
  private readonly kept = new Map<string, Kept>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly store: RecordStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(task: ClaimedTask, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    const key = `${task.executionId}/${task.node.index}/${task.attempt}`;
    let kept = this.kept.get(key);
    if (!kept) this.kept.set(key, (kept = { lines: [], bytes: 0, written: 0, cut: false }));
    if (kept.cut) return;
    const line: LogLine = {
      executionId: task.executionId,
      node: task.node.index,
      attempt: task.attempt,
      at: this.clock.now(),
      level,
      message: clean(message),
      fields: fields ? clean(JSON.stringify(fields)) : null,
    };
    kept.bytes += Buffer.byteLength(line.message) + (line.fields?.length ?? 0);
    if (kept.written + kept.lines.length >= maxLines - 1 || kept.bytes > maxBytes) {
      kept.cut = true;
      kept.lines.push({
        ...line,
        level: 'warn',
        message: 'log cut here: at most 1,000 lines and 256 KiB an attempt',
        fields: null,
      });
    } else kept.lines.push(line);
    this.timer ??= setTimeout(() => void this.flush(), flushEveryMs);
  }

  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const lines: LogLine[] = [];
    for (const [key, kept] of this.kept) {
      lines.push(...kept.lines);
      kept.written += kept.lines.length;
      if (kept.lines.length === 0) this.kept.delete(key);
      kept.lines = [];
    }
    try {
      await this.store.addLogLines(this.database.any, lines);
    } catch (error) {
      this.logger.warn({ err: error, lines: lines.length }, 'log lines were lost');
    }
    if (this.kept.size > 0) this.timer ??= setTimeout(() => void this.flush(), 5_000);
  }
}

/** Text as Postgres takes it: a NUL becomes the picture of one. */
function clean(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', '\u2400')).toString();
}
