import type { PayloadSchema } from './payload-schema.js';

/** A message above this cannot be one of ours: envelopes carry ids. */
export const MESSAGE_LIMIT_BYTES = 1_048_576;

export type PoisonReason = 'too_large' | 'not_utf8' | 'not_json' | 'wrong_shape';

export type Decoded =
  | { readonly kind: 'payload'; readonly payload: unknown }
  | { readonly kind: 'poison'; readonly reason: PoisonReason; readonly detail: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads one message. Never throws: what cannot be understood is an answer. */
export const decode = async (body: Buffer | string, schema: PayloadSchema | undefined): Promise<Decoded> => {
  const bytes = Buffer.byteLength(body);
  if (bytes > MESSAGE_LIMIT_BYTES) return poison('too_large', `${bytes} bytes`);
  let text: string;
  try {
    text = typeof body === 'string' ? body : utf8.decode(body);
  } catch {
    return poison('not_utf8', '');
  }
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    return poison('not_json', (error as Error).message.slice(0, 200));
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return poison('wrong_shape', 'not an object');
  if (!schema) return { kind: 'payload', payload };
  const result = await schema['~standard'].validate(payload);
  return result.issues
    ? poison(
        'wrong_shape',
        result.issues
          .map(({ message }) => message)
          .join('; ')
          .slice(0, 500),
      )
    : { kind: 'payload', payload: result.value };
};

const poison = (reason: PoisonReason, detail: string): Decoded => ({ kind: 'poison', reason, detail });
