import { textLines } from './text-lines.js';

async function* parts(...given: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* given;
}
const linesOf = async (...given: (string | Uint8Array)[]): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of textLines(parts(...given))) lines.push(line);
  return lines;
};

describe('lines of text', () => {
  it('end at LF or CRLF, wherever the parts are cut', async () => {
    expect(await linesOf('a\r', '\nb\n', '\nc')).toEqual(['a', 'b', '', 'c']);
    expect(await linesOf('a\n')).toEqual(['a']);
    expect(await linesOf()).toEqual([]);
  });

  it('end at nothing that may stand in a JSON string', async () => {
    const line = JSON.stringify({ a: 'x\u2028y\u2029z\u0085' });
    expect(await linesOf(`${line}\n${line}`)).toEqual([line, line]);
  });

  it('keep a character that is cut in two', async () => {
    const bytes = Buffer.from('für\n');
    expect(await linesOf(bytes.subarray(0, 2), bytes.subarray(2))).toEqual(['für']);
  });
});
