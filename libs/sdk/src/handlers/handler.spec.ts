import { z } from 'zod';
import { defineHandler, type HandlerContext } from './handler.js';

const context = (inputText: string): HandlerContext => ({
  input: JSON.parse(inputText) as unknown,
  inputText,
  executionId: 'e',
  idempotencyKey: 'e-0',
  attempt: 1,
  signal: new AbortController().signal,
  log: Object.assign(() => undefined, { debug() {}, info() {}, warn() {}, error() {} }),
  progress: () => undefined,
});

describe('a handler with a schema', () => {
  const Entry = z.object({ id: z.bigint(), rows: z.array(z.object({ amount: z.coerce.number() })) });
  const double = defineHandler(Entry, ({ input }) => ({
    id: input.id,
    sum: input.rows.reduce((a, b) => a + b.amount, 0),
  }));

  it('is given what the schema makes of the exact input, and gives every digit back', async () => {
    const given = context('{"id": 9007199254740993, "rows": [{"amount": "1.5"}, {"amount": 2}]}');
    expect(await double(given as never)).toEqual({ fanfold: 'json', text: '{"id":9007199254740993,"sum":3.5}' });
  });

  it('fails for good where the input is not what it takes, with the path of each issue', async () => {
    const given = context('{"id": 1, "rows": [{"amount": "1"}, {"amount": "x"}]}');
    await expect(Promise.resolve(double(given as never))).rejects.toMatchObject({
      fanfold: 'permanent',
      code: 'HANDLER.INPUT_INVALID',
      message: expect.stringMatching(/input\.id: .*; input\.rows\[1\]\.amount: /) as unknown,
    });
  });

  it('sees the attempt as it is: its signal, its log, its keys', async () => {
    const seen = defineHandler(z.unknown(), ({ idempotencyKey, attempt, signal, log, progress }) => {
      log.info('x');
      progress(1);
      return { idempotencyKey, attempt, aborted: signal.aborted };
    });
    expect(await seen(context('null') as never)).toEqual({ idempotencyKey: 'e-0', attempt: 1, aborted: false });
  });
});
