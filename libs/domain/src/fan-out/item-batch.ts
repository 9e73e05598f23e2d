/** Items of a list that become one child, whose item is the array of theirs. */
export class ItemBatch {
  private items: string[] = [];
  private bytes = 0;

  constructor(private readonly limits: { readonly maxItems: number; readonly maxBytes: number }) {}

  /**
   * @param item exact JSON text
   * @param bytes of its UTF-8
   * @returns the array of those before it where it has no room beside them, else null; an item that is too large alone is alone
   */
  add(item: string, bytes: number): string | null {
    const { maxItems, maxBytes } = this.limits;
    const isFull = this.items.length >= maxItems || this.bytes + bytes > maxBytes;
    const whole = isFull ? this.take() : null;
    this.items.push(item);
    this.bytes += bytes;
    return whole;
  }

  /** @returns the array of what is left; null: nothing */
  take(): string | null {
    const whole = this.items.length > 0 ? `[${this.items.join(',')}]` : null;
    this.items = [];
    this.bytes = 0;
    return whole;
  }
}
