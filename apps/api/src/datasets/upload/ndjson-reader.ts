/** NDJSON → one item per line, as the exact text it is. Empty lines are no items. */
import { checkJson } from '@app/domain';
import { checkItemSize, maxItemBytes, uploadDefect, type ItemReader, type ItemSink } from './item-reader.js';

export class NdjsonReader implements ItemReader {
  readonly columns = null;
  private text = '';
  private row = 1;

  constructor(private readonly sink: ItemSink) {}

  push(text: string): void {
    this.text = this.text === '' ? text : this.text + text;
    let start = 0;
    for (;;) {
      const end = this.text.indexOf('\n', start);
      if (end === -1) break;
      this.line(this.text.slice(start, end));
      start = end + 1;
    }
    this.text = start === 0 ? this.text : this.text.slice(start);
    if (this.text.length > 2 * maxItemBytes)
      throw uploadDefect('ITEM_TOO_LARGE', this.row, null, `the item is larger than ${maxItemBytes} bytes`);
  }

  end(): void {
    if (this.text !== '') this.line(this.text);
    this.text = '';
  }

  position(): { row: number; column: number } {
    return { row: this.row, column: this.text.length + 1 };
  }

  private line(line: string): void {
    const item = line.trim();
    if (item !== '') {
      const defect = checkJson(item);
      if (defect) throw uploadDefect('NOT_JSON', this.row, defect.offset + 1, defect.message);
      checkItemSize(item, this.row);
      this.sink(item);
    }
    this.row++;
  }
}
