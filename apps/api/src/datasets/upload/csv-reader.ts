/**
 * CSV → one object of strings per record (RFC 4180): header row; LF, CRLF or CR; quoted cells with doubled quotes, line
 * breaks and separators, kept to the byte; every cell stays the text it is. An empty line is no record. A quote inside an
 * unquoted cell is text. Ragged records, duplicate headers, text after a closing quote and a quote that never closes are
 * refused with row and column.
 *
 * The text is walked once, code unit by code unit, and a record that is cut off at the end of a piece is read again with
 * the next one: records are small (an item has at most 256 KiB), so that costs nothing.
 */
import { checkItemSize, maxItemBytes, uploadDefect, type ItemReader, type ItemSink } from './item-reader.js';
import { isExportHeader, restoreCell, withoutErrorColumns } from './csv-export-marks.js';

const quote = 0x22;
const backslash = 0x5c;
const lf = 0x0a;
const cr = 0x0d;

export class CsvReader implements ItemReader {
  columns: readonly string[] | null = null;
  private text = '';
  private row = 1;
  private column = 1;
  /** `{"id":` and `,"name":`: what goes before each cell. */
  private keys: readonly string[] = [];
  private restored = false;
  private ended = false;
  /** JSON texts of the cells of the record at hand, and where the walk stands in it. */
  private cells: string[] = [];
  private at = 0;

  constructor(
    private readonly separator: string,
    private readonly sink: ItemSink,
  ) {}

  push(text: string): void {
    this.text = this.text === '' ? text : this.text + text;
    this.readRecords();
    if (this.text.length > 2 * maxItemBytes) throw this.endless();
  }

  end(): void {
    this.ended = true;
    this.readRecords();
    if (this.columns === null) throw uploadDefect('NO_HEADER', 1, null, 'the file has no header row');
  }

  position(): { row: number; column: number } {
    return { row: this.row, column: this.column };
  }

  private readRecords(): void {
    const { text } = this;
    let start = 0;
    while (start < text.length) {
      const first = text.charCodeAt(start);
      if (first === lf || first === cr) {
        const next = this.afterBreak(start);
        if (next === -1) break;
        this.row++;
        start = next;
        continue;
      }
      if (!this.readRecord(start)) break;
      this.record();
      start = this.at;
      this.row++;
    }
    this.text = start === 0 ? text : text.slice(start);
  }

  /** The offset after the line break at `at`; -1 when a CR is the last thing seen so far. */
  private afterBreak(at: number): number {
    if (this.text.charCodeAt(at) === lf) return at + 1;
    if (at + 1 === this.text.length) return this.ended ? at + 1 : -1;
    return this.text.charCodeAt(at + 1) === lf ? at + 2 : at + 1;
  }

  /** Reads the record at `start` into `cells`; false when it is cut off. */
  private readRecord(start: number): boolean {
    const { text } = this;
    const separator = this.separator.charCodeAt(0);
    const { length } = text;
    this.cells = [];
    this.at = start;
    for (;;) {
      this.column = this.cells.length + 1;
      if (text.charCodeAt(this.at) === quote) {
        if (!this.readQuoted()) return false;
      } else {
        let plain = true;
        let i = this.at;
        for (; i < length; i++) {
          const code = text.charCodeAt(i);
          if (code === separator || code === lf || code === cr) break;
          if (code < 0x20 || code === quote || code === backslash) plain = false;
        }
        if (i === length && !this.ended) return false;
        const cell = text.slice(this.at, i);
        this.cells.push(plain ? `"${cell}"` : JSON.stringify(cell));
        this.at = i;
      }
      if (this.at >= length) return true;
      if (text.charCodeAt(this.at) === separator) {
        this.at++;
        if (this.at === length && !this.ended) return false;
        continue;
      }
      const next = this.afterBreak(this.at);
      if (next === -1) return false;
      this.at = next;
      return true;
    }
  }

  /** Reads the quoted cell at `at`; false when it is cut off. */
  private readQuoted(): boolean {
    const { text } = this;
    const open = this.at + 1;
    let doubled = false;
    let close = text.indexOf('"', open);
    while (close !== -1 && text.charCodeAt(close + 1) === quote) {
      doubled = true;
      close = text.indexOf('"', close + 2);
    }
    if (close === -1 || (close + 1 === text.length && !this.ended)) {
      if (close === -1 && this.ended) throw this.unterminated();
      return false;
    }
    const after = text.charCodeAt(close + 1);
    if (close + 1 < text.length && after !== this.separator.charCodeAt(0) && after !== lf && after !== cr)
      throw uploadDefect('BAD_QUOTE', this.row, this.column, 'text follows the closing quote of a cell');
    const cell = text.slice(open, close);
    this.cells.push(JSON.stringify(doubled ? cell.replaceAll('""', '"') : cell));
    this.at = close + 1;
    return true;
  }

  private record(): void {
    const { cells, row } = this;
    if (this.columns === null) return this.header();
    if (cells.length !== this.keys.length) {
      const message = `the row has ${cells.length} cells, and the header ${this.keys.length}`;
      throw uploadDefect('RAGGED_ROW', row, Math.min(cells.length, this.keys.length) + 1, message);
    }
    let item = '';
    for (let i = 0; i < this.columns.length; i++)
      item += this.keys[i]! + (this.restored ? restored(cells[i]!) : cells[i]!);
    item = item === '' ? '{}' : `${item}}`;
    checkItemSize(item, row);
    this.sink(item);
  }

  private header(): void {
    let names = this.cells.map((cell) => JSON.parse(cell) as string);
    this.restored = isExportHeader(names);
    if (this.restored) names = names.map(restoreCell);
    const seen = new Map<string, number>();
    for (const [i, name] of names.entries()) {
      const before = seen.get(name);
      if (before !== undefined) {
        const message = `the header "${name.slice(0, 100)}" is already that of column ${before + 1}`;
        throw uploadDefect('DUPLICATE_HEADER', this.row, i + 1, message);
      }
      seen.set(name, i);
    }
    this.keys = names.map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    this.columns = this.restored ? withoutErrorColumns(names) : names;
  }

  private unterminated() {
    return uploadDefect('UNTERMINATED_QUOTE', this.row, this.column, 'a quote opened here is never closed');
  }

  private endless() {
    const open = this.text.charCodeAt(this.at) === quote || this.text.includes('"');
    const why = open ? '; a quote opened in it may not be closed' : '';
    const message = `the row that starts here is larger than an item may be (${maxItemBytes} bytes)${why}`;
    return uploadDefect(open ? 'UNTERMINATED_QUOTE' : 'ITEM_TOO_LARGE', this.row, this.column, message);
  }
}

function restored(cell: string): string {
  return cell.startsWith(`"'`) ? JSON.stringify(restoreCell(JSON.parse(cell) as string)) : cell;
}
