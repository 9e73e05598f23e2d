import { exactJson, PermanentError, TransientError, type HandlerContext } from '@app/sdk';
import { errorOf, Performing } from './performing.js';

describe('a handler', () => {
  let performing: Performing;
  beforeAll(async () => {
    performing = await Performing.start();
  });
  afterAll(() => performing.stop());
  let count = 0;
  const run = (handle: (context: HandlerContext) => unknown, rest: Record<string, unknown> = {}, given = {}) => {
    const name = `handler-${count++}`;
    performing.handlers.handler(name, handle as never);
    return performing.perform({ type: 'HANDLER', config: { handler: name }, ...rest }, given);
  };

  it.each<[string, () => unknown, string | null]>([
    ['nothing', () => undefined, null],
    ['null', () => null, 'null'],
    ['an object, later', () => Promise.resolve({ a: [1, 'x'] }), '{"a":[1,"x"]}'],
    ['a lone surrogate and a NUL', () => '\ud800\u0000', '"\\ud800\\u0000"'],
    [
      'a name like a prototype',
      () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
      '{"__proto__":{"polluted":true}}',
    ],
    ['exact JSON', () => exactJson('{"id": 9007199254740993}'), '{"id": 9007199254740993}'],
  ])('may return %s', async (_what, handle, output) => {
    expect(await run(handle)).toEqual({ kind: 'succeeded', output });
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  it.each<[string, () => unknown]>([
    ['a BigInt', () => ({ id: 1n })],
    ['a cycle', () => circular],
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('x')],
    ['broken exact JSON', () => exactJson('{"id": }')],
    [
      'something that throws when it is written',
      () => ({
        toJSON: () => {
          throw new Error('no text');
        },
      }),
    ],
  ])('that returns %s fails for good', async (_what, handle) => {
    expect(await run(handle)).toMatchObject({
      class: 'PERMANENT',
      error: { class: 'PERMANENT', code: 'HANDLER.OUTPUT_INVALID' },
    });
  });

  it('may return no more than an output may have', async () => {
    const large = () => 'ü'.repeat(140_000);
    expect(await run(large)).toMatchObject({ class: 'PERMANENT', error: { code: 'OUTPUT.TOO_LARGE' } });
    expect((await run(large, { maxOutput: 300_000 })).kind).toBe('succeeded');
  });

  it.each<[string, unknown, object]>([
    [
      'a PermanentError',
      new PermanentError('row is bad', { code: 'ROW.BAD' }),
      { class: 'PERMANENT', error: { code: 'ROW.BAD', message: 'row is bad' } },
    ],
    [
      'a TransientError',
      new TransientError('busy'),
      { class: 'TRANSIENT', error: { code: 'HANDLER.FAILED', message: 'busy' } },
    ],
    ['an unknown error', new TypeError('x is undefined'), { class: 'TRANSIENT', error: { message: 'x is undefined' } }],
    ['a string', 'oops', { class: 'TRANSIENT', error: { message: 'oops' } }],
    ['nothing', undefined, { class: 'TRANSIENT' }],
    ['what has no text', Object.create(null), { class: 'TRANSIENT' }],
    ['a wish to wait', new TransientError({ retryAfter: 5 }), { kind: 'snoozed', waitMs: 5_000 }],
    ['a wish to wait for ever', new TransientError({ retryAfter: '30d' }), { kind: 'snoozed', waitMs: 3_600_000 }],
  ])('may throw %s', async (_what, thrown, outcome) => {
    expect(
      await run(() => {
        throw thrown;
      }),
    ).toMatchObject(outcome);
  });

  it('is judged by the rules of its node', async () => {
    const fail = () => {
      throw new Error('duplicate key');
    };
    const rules = (treatAs: string) => ({ errors: [{ match: 'duplicate', treatAs }] });
    expect(await run(fail, rules('SUCCEEDED'))).toEqual({ kind: 'succeeded', output: null });
    expect(await run(fail, rules('PERMANENT'))).toMatchObject({ class: 'PERMANENT', error: { class: 'PERMANENT' } });
  });

  it('sees its input exactly and logs what it likes', async () => {
    const outcome = await run(
      ({ input, inputText, attempt, idempotencyKey, executionId, log }) => {
        log('one', { n: 1 });
        log.warn('two', { id: 1n });
        return { input, inputText, attempt, isKey: idempotencyKey === `${executionId}.node` };
      },
      {},
      { item: '{"id":9007199254740993}', attempt: 4 },
    );
    expect(JSON.parse((outcome as { output: string }).output)).toMatchObject({
      inputText: '{"id":9007199254740993}',
      attempt: 4,
      isKey: true,
    });
    expect(performing.lines).toMatchObject([
      { level: 'info', message: 'one', fields: { n: 1 } },
      { level: 'warn', message: 'two' },
    ]);
  });

  it('that nobody registered keeps its task waiting', async () => {
    const outcome = await performing.perform({ type: 'HANDLER', config: { handler: 'nobody' } });
    expect(outcome).toMatchObject({ kind: 'snoozed', waitMs: 5_000 });
    expect(errorOf(outcome).code).toBe('HANDLER.UNKNOWN');
  });

  it('whose input template fails, fails for good and names the expression', async () => {
    performing.handlers.handler('any', () => 1);
    const outcome = await performing.perform({ type: 'HANDLER', config: { handler: 'any', input: '${item.missing}' } });
    expect(outcome).toMatchObject({
      class: 'PERMANENT',
      error: { code: 'EXPRESSION.FAILED', expression: 'item.missing', itemIndex: 0 },
    });
  });
});
