import type { DatasetChunk } from '@app/persistence';

const maxItems = 1_000;
const maxLength = 256 * 1024;

/** Packs items into chunks of at most 1,000 items and about 256 KiB, each one JSON array of the exact texts. */
export class ChunkPacker {
  itemCount = 0;
  private ready: DatasetChunk[] = [];
  private items: string[] = [];
  private length = 0;

  add(itemText: string): void {
    if (this.items.length > 0 && this.length + itemText.length > maxLength) this.close();
    this.items.push(itemText);
    this.length += itemText.length + 1;
    this.itemCount++;
    if (this.items.length === maxItems) this.close();
  }

  /** How many chunks wait to be taken. */
  get waiting(): number {
    return this.ready.length;
  }

  /** Up to `limit` chunks that are complete. */
  take(limit: number): DatasetChunk[] {
    return this.ready.splice(0, limit);
  }

  /** Ends the chunk that is being filled. */
  close(): void {
    if (this.items.length === 0) return;
    const body = `[${this.items.join(',')}]`;
    this.ready.push({ firstIndex: this.itemCount - this.items.length, itemCount: this.items.length, body });
    this.items = [];
    this.length = 0;
  }
}
