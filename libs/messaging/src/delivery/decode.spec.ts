import { z } from 'zod';
import { deadLetter } from './dead-letter.js';
import { decode, MESSAGE_LIMIT_BYTES } from './decode.js';

describe('decoding a message', () => {
  it.each([
    ['random bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80]), 'not_utf8'],
    ['an empty body', Buffer.alloc(0), 'not_json'],
    ['text', 'hello', 'not_json'],
    ['an array', '[1]', 'wrong_shape'],
    ['null', 'null', 'wrong_shape'],
    ['another shape', '{"id":1}', 'wrong_shape'],
    ['a huge body', Buffer.alloc(MESSAGE_LIMIT_BYTES + 1, 0x20), 'too_large'],
  ])('answers %s with its reason', async (_, body, reason) => {
    expect(await decode(body, z.object({ id: z.string() }))).toMatchObject({ kind: 'poison', reason });
  });

  it('gives what the schema makes of it', async () => {
    expect(await decode('{"id":"a"}', z.object({ id: z.string() }))).toEqual({ kind: 'payload', payload: { id: 'a' } });
    expect(await decode('{"any":1}', undefined)).toEqual({ kind: 'payload', payload: { any: 1 } });
  });

  it('keeps a bounded excerpt of a dead letter', () => {
    const letter = deadLetter('q', Buffer.alloc(20_000_000, 0x61), { reason: 'too_large', detail: '' }, 0);
    expect(letter).toMatchObject({ bytes: 20_000_000, encoding: 'utf8', at: '1970-01-01T00:00:00.000Z' });
    expect(letter.excerpt).toHaveLength(4_096);
  });
});
