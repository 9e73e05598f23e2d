import type { Chunk } from '@app/persistence';
import { SpawnFailure } from './spawn-failure.js';

const maxItems = 1_000;
const maxBytes = 262_144;
/** One item may have this many bytes (api.md, General rules). */
export const maxItemBytes = 262_144;

/** Gathers items into chunks of at most 1,000 items and about 256 KiB: a JSON array of exact texts each. */
export class ChunkWriter {
  private items: string[] = [];
  private bytes = 0;
  private first = 0;
  private next = 0;
  private done: Chunk[] = [];

  get count(): number {
    return this.next;
  }

  /** @throws SpawnFailure when the item is too large */
  add(item: string): void {
    const bytes = item.length > maxItemBytes / 4 ? Buffer.byteLength(item) : item.length;
    if (bytes > maxItemBytes)
      throw new SpawnFailure(
        'ITEM.TOO_LARGE',
        `item ${this.next} has ${bytes} bytes; one item may have ${maxItemBytes}`,
        {
          itemIndex: this.next,
        },
      );
    if (this.items.length >= maxItems || (this.items.length > 0 && this.bytes + bytes > maxBytes)) this.close();
    this.items.push(item);
    this.bytes += bytes;
    this.next++;
  }

  /** Full chunks since the last call; with `all` the last, partial one as well. */
  take(all = false): Chunk[] {
    if (all) this.close();
    const chunks = this.done;
    this.done = [];
    return chunks;
  }

  private close(): void {
    if (this.items.length === 0) return;
    this.done.push({ firstIndex: this.first, itemCount: this.items.length, body: `[${this.items.join(',')}]` });
    this.first = this.next;
    this.items = [];
    this.bytes = 0;
  }
}
