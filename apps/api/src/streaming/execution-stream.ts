import type { Plan } from '@app/domain';
import type { EventRow, LogLineRow, WatchedRow } from '@app/persistence';
import type { Response } from 'express';
import { factViews, logLineView } from '../executions/fact-view.js';
import { writeJson } from '../json/json-text.js';

/** A client that reads slower than this is cut off; it resumes where it was. */
const maxBuffered = 1024 * 1024;

/**
 * One connection that follows one execution. It tells the execution's events one by one in order, each with its number
 * as `id`, progress when it has changed, and ends when the execution has settled and everything has been told.
 */
export class ExecutionStream {
  row: WatchedRow | null | undefined;
  lastLine = 0;
  /** The progress that was told last. */
  private told = '';
  private closed = false;

  constructor(
    private readonly response: Response,
    readonly id: string,
    readonly plan: Plan,
    /** Number of the last event told. */
    public lastSeq: number,
    readonly withLogs: boolean,
  ) {}

  get open(): boolean {
    return !this.closed;
  }

  get hasNews(): boolean {
    return this.open && !!this.row && this.row.seq > this.lastSeq;
  }

  snapshot(view: unknown, seq: number): void {
    this.lastSeq = seq;
    this.frame('snapshot', view, seq);
  }

  facts(rows: readonly EventRow[]): void {
    for (const fact of factViews(rows, this.plan, this.lastSeq)) {
      this.lastSeq = fact.seq;
      this.frame(fact.type.startsWith('execution.') ? 'state' : 'node', fact, fact.seq);
    }
  }

  /** @param text JSON; empty where there is nothing to count */
  progress(text: string): void {
    if (text === this.told || text === '') return;
    this.told = text;
    this.write(`event: progress\ndata: ${text}\n\n`);
  }

  logLines(lines: readonly LogLineRow[]): void {
    for (const line of lines) {
      this.lastLine = line.n;
      this.frame('log', logLineView(line, this.plan));
    }
  }

  /** Ends the stream when there is nothing more to tell. */
  endIfDone(): void {
    const { row } = this;
    if (row === undefined || this.hasNews) return;
    if (row === null) return this.end({ state: null, deleted: true });
    if (['succeeded', 'failed', 'cancelled'].includes(row.state)) this.end({ state: row.state.toUpperCase() });
  }

  comment(): void {
    this.write(': still here\n\n');
  }

  end(view: unknown): void {
    this.frame('end', view);
    this.close();
  }

  /** Lets the client go; it comes back with the number it has. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.response.end();
  }

  private frame(event: string, view: unknown, id?: number): void {
    // Exact texts may hold line breaks between values, and a frame must not.
    const data = writeJson(view).replace(/\r\n|\r|\n/g, '\ndata: ');
    this.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
  }

  private write(text: string): void {
    if (this.closed) return;
    this.response.write(text);
    if (this.response.writableLength > maxBuffered) {
      this.closed = true;
      this.response.destroy();
    }
  }
}
