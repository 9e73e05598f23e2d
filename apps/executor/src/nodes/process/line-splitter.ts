import { StringDecoder } from 'node:string_decoder';

const longestLine = 16_384;

/** Bytes to lines of text; a line that goes on for ever is told up to 16 Ki characters, the rest of it is left out. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private isCut = false;

  constructor(private readonly onLine: (line: string) => void) {}

  add(bytes: Buffer): void {
    this.addText(this.decoder.write(bytes));
  }

  end(): void {
    this.addText(this.decoder.end());
    if (this.line !== '' || this.isCut) this.tell();
  }

  private addText(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.append(text.slice(from, end));
      this.tell();
      from = end + 1;
    }
    this.append(text.slice(from));
  }

  private append(text: string): void {
    const room = longestLine - this.line.length;
    this.line += text.slice(0, Math.max(0, room));
    if (text.length > room) this.isCut = true;
  }

  private tell(): void {
    const line = this.line.endsWith('\r') ? this.line.slice(0, -1) : this.line;
    this.onLine(this.isCut ? `${line}…` : line);
    this.line = '';
    this.isCut = false;
  }
}
