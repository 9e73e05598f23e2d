/**
 * A JSON array → its elements, as the exact texts they are, without ever holding the array. The walk over code units
 * only finds where an element ends; each element is then checked by itself.
 */
import { checkJson, squeeze } from '@app/domain';
import { checkItemSize, maxItemBytes, uploadDefect, type ItemReader, type ItemSink } from './item-reader.js';

/** Where the walk is: before the array, after `[`, after `,`, inside an element, after `]`. */
type Place = 'start' | 'first' | 'next' | 'element' | 'done';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export class JsonArrayReader implements ItemReader {
  readonly columns = null;
  private place: Place = 'start';
  /** What earlier pieces held of the element at hand. */
  private carried = '';
  private depth = 0;
  private inString = false;
  private escaped = false;
  private row = 1;

  constructor(private readonly sink: ItemSink) {}

  push(text: string): void {
    let start = 0;
    let at = 0;
    while (at < text.length) {
      if (this.place === 'element') {
        const end = this.endOfElement(text, at);
        if (end === -1) break;
        this.element(this.carried + text.slice(start, end));
        at = this.afterElement(text, end);
        continue;
      }
      if (isSpace(text.charCodeAt(at))) at++;
      else {
        at = this.between(text, at);
        start = at;
      }
    }
    if (this.place !== 'element') return;
    this.carried += text.slice(start);
    if (this.carried.length > 2 * maxItemBytes)
      throw uploadDefect('ITEM_TOO_LARGE', this.row, null, `the item is larger than ${maxItemBytes} bytes`);
  }

  end(): void {
    if (this.place !== 'done')
      throw this.notJson(this.place === 'start' ? 'there is no array' : 'the array is not closed');
  }

  position(): { row: number; column: number } {
    return { row: this.row, column: this.carried.length + 1 };
  }

  /** Handles a character outside elements; the offset to go on at. */
  private between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (this.place === 'start') {
      if (code !== openBracket) throw this.notJson('the file must be one JSON array');
      this.place = 'first';
      return at + 1;
    }
    if (this.place === 'done') throw this.notJson('something follows the array');
    if (code === closeBracket && this.place === 'first') {
      this.place = 'done';
      return at + 1;
    }
    if (code === comma || code === closeBracket) throw this.notJson('an element is missing');
    this.place = 'element';
    this.carried = '';
    return at;
  }

  private afterElement(text: string, end: number): number {
    const code = text.charCodeAt(end);
    if (code === closeBrace) throw this.notJson('a brace closes what was not opened');
    this.place = code === comma ? 'next' : 'done';
    this.carried = '';
    return end + 1;
  }

  /** The offset of the comma or bracket after the element, or -1 when it goes on in the next piece. */
  private endOfElement(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (code === backslash) this.escaped = true;
        else if (code === quote) this.inString = false;
      } else if (code === quote) this.inString = true;
      else if (code === openBracket || code === openBrace) this.depth++;
      else if (code === closeBracket || code === closeBrace) {
        if (this.depth === 0) return at;
        this.depth--;
      } else if (code === comma && this.depth === 0) return at;
    }
    return -1;
  }

  private element(text: string): void {
    const defect = checkJson(text);
    if (defect) throw uploadDefect('NOT_JSON', this.row, null, defect.message);
    const item = squeeze(text);
    checkItemSize(item, this.row);
    this.sink(item);
    this.row++;
  }

  private notJson(message: string) {
    return uploadDefect('NOT_JSON', this.row, null, message);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
