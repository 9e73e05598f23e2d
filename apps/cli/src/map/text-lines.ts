/**
 * Lines of UTF-8 text, without their ends (LF or CRLF). Nothing else ends a line: the separators of Unicode that node:readline heeds
 * may stand in a JSON string.
 */
export async function* textLines(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const text = rest + (typeof part === 'string' ? part : decoder.decode(part, { stream: true }));
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      yield withoutReturn(text.slice(from, end));
      from = end + 1;
    }
    rest = text.slice(from);
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
