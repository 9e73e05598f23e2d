import { commandEnding, outputText } from './command-outcome.js';
import { LineSplitter } from './line-splitter.js';

describe('what a command wrote', () => {
  it.each<[string | Buffer, string]>([
    ['{"id": 9007199254740993}\n', '{"id": 9007199254740993}'],
    ['42\n', '42'],
    ['', '""'],
    ['\n', '"\\n"'],
    ['{"id": 1} trailing', '"{\\"id\\": 1} trailing"'],
    ['{"a":"\ufffd"}', '{"a":"\ufffd"}'],
    [Buffer.from([0x22, 0xff, 0x22]), '"\\"\ufffd\\""'],
    ['\u0000', '"\\u0000"'],
  ])('%j is the output %s', (stdout, text) => expect(outputText(Buffer.from(stdout as string))).toBe(text));
});

describe('the end of a command', () => {
  const end = { code: 1, signal: null, stdout: Buffer.from('x'), lastWords: '' };
  it('names code or signal, and is permanent where the code is said to be', () => {
    expect(commandEnding(end, [[2, 2]], 'command').outcome).toMatchObject({
      class: 'TRANSIENT',
      error: { message: 'the command exited with code 1' },
    });
    expect(commandEnding({ ...end, code: 2 }, [[2, 2]], 'script').outcome).toMatchObject({ class: 'PERMANENT' });
    const killed = commandEnding({ ...end, code: null, signal: 'SIGSEGV' }, [[2, 255]], 'command');
    expect(killed.outcome).toMatchObject({ class: 'TRANSIENT', error: { code: 'SHELL.KILLED', signal: 'SIGSEGV' } });
  });
});

describe('lines', () => {
  const split = (...chunks: (string | Buffer)[]) => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (const chunk of chunks) splitter.add(Buffer.from(chunk as string));
    splitter.end();
    return lines;
  };
  it('are whole however they arrive, in the middle of a character too', () => {
    const [e1, e2] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect(split('a\nb', 'c\r\n', e1, e2, '\n\nend')).toEqual(['a', 'bc', 'é', '', 'end']);
    expect(split('a\n')).toEqual(['a']);
  });
  it('have an end', () => {
    const [long, next] = split(...Array.from({ length: 10 }, () => 'x'.repeat(10_000)), '\nnext');
    expect(long).toBe(`${'x'.repeat(16_384)}…`);
    expect(next).toBe('next');
  });
});
