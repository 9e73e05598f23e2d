/**
 * All streams of this replica. They ride on the watch board: per tick one query tells which executions have moved, one
 * fetches the new events of those, one the counts of all that are watched. Streams that are behind are caught up in
 * bounded pieces, tick after tick without a rest.
 */
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { SettledSignal } from '@app/contracts/messages/envelopes.js';
import { SETTLED_TOPIC } from '@app/contracts/messages/queues.js';
import type { Plan } from '@app/domain';
import {
  ExecutionReadingStore,
  FanOutReadingStore,
  type EventRow,
  type FanOutRow,
  type LogLineRow,
} from '@app/persistence';
import { Loop } from '@app/runtime';
import { API, type Api } from '../api.js';
import { fanOutView, newestGenerations } from '../executions/fan-out-view.js';
import { longestSpan } from '../executions/fact-view.js';
import { HintBus } from '../hints/hint-bus.js';
import { writeJson } from '../json/json-text.js';
import { groupBy } from '../request/group-by.js';
import type { ExecutionStream } from './execution-stream.js';
import { WatchBoard } from './watch-board.js';

const eventsPerTick = 500;
const linesPerTick = 500;
const commentMillis = 10_000;

@Injectable()
export class StreamHub implements OnModuleInit, OnModuleDestroy {
  readonly board: WatchBoard;
  private readonly streams = new Map<ExecutionStream, () => void>();
  private readonly comments: Loop;
  private unsubscribe: (() => Promise<void>) | null = null;

  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(ExecutionReadingStore) private readonly executions: ExecutionReadingStore,
    @Inject(FanOutReadingStore) private readonly fanOuts: FanOutReadingStore,
    @Inject(HintBus) private readonly hints: HintBus,
  ) {
    const { database, logger } = api;
    this.board = new WatchBoard(database, executions, () => this.tell(), { logger });
    this.comments = new Loop({
      name: 'stream-comments',
      intervalMs: commentMillis,
      runOnce: async () => this.streams.forEach((_, stream) => stream.comment()),
      logger,
    });
  }

  async onModuleInit(): Promise<void> {
    this.board.loop.start();
    this.comments.start();
    this.unsubscribe = await this.hints.listen(SETTLED_TOPIC, (payload: Partial<SettledSignal>) =>
      this.board.ring(payload.ids ?? []),
    );
  }

  async onModuleDestroy(): Promise<void> {
    for (const stream of this.streams.keys()) this.leave(stream);
    await Promise.all([this.board.loop.stop(), this.comments.stop(), this.unsubscribe?.()]);
  }

  join(stream: ExecutionStream): void {
    const unwatch = this.board.watch(stream.id, {
      seen: (row) => {
        stream.row = row;
      },
    });
    this.streams.set(stream, unwatch);
    this.board.loop.ring();
  }

  leave(stream: ExecutionStream): void {
    this.streams.get(stream)?.();
    this.streams.delete(stream);
    stream.close();
  }

  private async tell(): Promise<number> {
    for (const stream of this.streams.keys()) if (!stream.open) this.leave(stream);
    const streams = [...this.streams.keys()].filter((stream) => stream.row !== undefined);
    if (streams.length === 0) return 0;
    const behind = streams.filter((stream) => stream.hasNews);
    const [facts, lines, fanOuts] = await Promise.all([
      this.factsOf(behind),
      this.logLinesOf(streams.filter((stream) => stream.withLogs)),
      this.fanOutsOf(streams),
    ]);
    for (const stream of behind) stream.facts(facts.get(stream.id) ?? []);
    // Many watch the same execution: what is told of it is made once.
    const progress = new Map<string, string>();
    for (const stream of streams) {
      const { id } = stream;
      if (stream.withLogs) stream.logLines((lines.get(id) ?? []).filter((line) => line.n > stream.lastLine));
      const told = progress.get(id) ?? progressText(fanOuts.get(id) ?? [], stream.plan);
      progress.set(id, told);
      stream.progress(told);
      stream.endIfDone();
    }
    // How many have more to be told at once.
    return behind.filter((stream) => stream.hasNews && (facts.get(stream.id)?.length ?? 0) >= eventsPerTick).length;
  }

  /** Streams of one execution share its rows; the one that is furthest behind decides where they begin. */
  private async factsOf(behind: readonly ExecutionStream[]): Promise<ReadonlyMap<string, EventRow[]>> {
    if (behind.length === 0) return new Map();
    const from = new Map<string, number>();
    for (const stream of behind)
      from.set(stream.id, Math.min(from.get(stream.id) ?? Infinity, Math.max(0, stream.lastSeq + 1 - longestSpan)));
    const rows = await this.executions.eventsOfMany(this.api.database.any, {
      ids: [...from.keys()],
      from: [...from.values()],
      limit: eventsPerTick,
    });
    return groupBy(rows, (row) => row.executionId);
  }

  private async logLinesOf(streams: readonly ExecutionStream[]): Promise<ReadonlyMap<string, LogLineRow[]>> {
    if (streams.length === 0) return new Map();
    const after = new Map<string, number>();
    for (const { id, lastLine } of streams) after.set(id, Math.min(after.get(id) ?? Infinity, lastLine));
    const lines = await this.executions.logLinesOfMany(this.api.database.any, {
      ids: [...after.keys()],
      after: [...after.values()],
      limit: linesPerTick,
    });
    return groupBy(lines, (line) => line.executionId);
  }

  private async fanOutsOf(streams: readonly ExecutionStream[]): Promise<ReadonlyMap<string, FanOutRow[]>> {
    const parentIds = [...new Set(streams.map((stream) => stream.id))];
    return groupBy(await this.fanOuts.ofParents(this.api.database.any, { parentIds }), (row) => row.parentId);
  }
}

/** Empty where there is no fan-out. */
function progressText(rows: readonly FanOutRow[], plan: Plan): string {
  if (rows.length === 0) return '';
  return writeJson({ fanOuts: newestGenerations(rows).map((row) => fanOutView(row, plan)) });
}
