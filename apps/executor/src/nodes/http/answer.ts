import { checkJson, encodeString } from '@app/domain';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  type BrotliOptions,
  type InputType,
  type ZlibOptions,
} from 'node:zlib';
import { AttemptFailure } from '../performance.js';
import type { CallAnswer } from './call.js';
import { isJsonType } from './request.js';

/** The text of an answer's body. */
export interface AnswerBody {
  /** As text: what excerpts are cut from. */
  readonly text: string;
  /** JSON text of it: exact where it is JSON, else a string. */
  readonly json: string;
}

/**
 * Decodes the body of an answer, at most `mostBytes` of it.
 * @returns null when it is larger
 * @throws AttemptFailure (transient) when its coding is broken
 */
export async function readBody(answer: CallAnswer, mostBytes: number): Promise<AnswerBody | null> {
  const bytes = await decoded(answer, mostBytes);
  if (!bytes || bytes.length > mostBytes) return null;
  const type = headerOf(answer, 'content-type');
  if (type === undefined || isJsonType(type)) {
    const text = strictUtf8(bytes);
    if (text !== null && text.trim() !== '' && checkJson(text) === null) return { text, json: text.trim() };
  }
  const text = lenient(bytes, type);
  return { text, json: encodeString(text) };
}

/** `{status, headers, body}` as exact JSON text; a header that was sent more than once holds a list. */
export function outputOf(answer: CallAnswer, body: AnswerBody): string {
  const headers = new Map<string, string[]>();
  for (const [name, value] of answer.headers) headers.set(name, [...(headers.get(name) ?? []), value]);
  const members = [...headers].map(
    ([name, values]) => `${encodeString(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`,
  );
  return `{"status":${answer.status},"headers":{${members.join(',')}},"body":${body.json}}`;
}

export function headerOf(answer: CallAnswer, name: string): string | undefined {
  return answer.headers.find(([other]) => other === name)?.[1];
}

async function decoded(answer: CallAnswer, most: number): Promise<Buffer | null> {
  const codings = answer.headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  let bytes: Buffer = answer.body;
  if (bytes.length === 0 || codings.length > 3) return bytes;
  for (const coding of codings) {
    const decode = decoders[coding as keyof typeof decoders];
    if (!decode) return bytes;
    const result = await attempt(decode, bytes, most, answer);
    if (!result) return null;
    bytes = result;
  }
  return bytes;
}

type Options = ZlibOptions & BrotliOptions;
type Decoder = (bytes: InputType, options: Options) => Promise<Buffer>;
const gzip = promisify<InputType, Options, Buffer>(gunzip);
const zlib = promisify<InputType, Options, Buffer>(inflate);
const raw = promisify<InputType, Options, Buffer>(inflateRaw);
const brotli = promisify<InputType, Options, Buffer>(brotliDecompress);
/** `deflate` is zlib by the standard and bare by habit. */
const deflate: Decoder = (bytes, options) =>
  (bytes as Buffer)[0]! % 16 === 8 ? zlib(bytes, options) : raw(bytes, options);
const decoders: Readonly<Record<string, Decoder>> = Object.assign(Object.create(null) as object, {
  gzip,
  'x-gzip': gzip,
  deflate,
  br: brotli,
});

/** Null: it unpacks to more than `most` bytes. Of a body that was cut, what is there counts. */
async function attempt(decode: Decoder, bytes: Buffer, most: number, answer: CallAnswer): Promise<Buffer | null> {
  const cut = answer.isCut
    ? { finishFlush: decode === brotli ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH }
    : {};
  try {
    return await decode(bytes, { maxOutputLength: Math.max(1, most), ...cut });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw new AttemptFailure('TRANSIENT', 'HTTP.ANSWER_INVALID', 'the body of the answer does not unpack', {
      status: answer.status,
    });
  }
}

function strictUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whatever the bytes are: what cannot be decoded becomes the replacement character. */
function lenient(bytes: Buffer, type: string | undefined): string {
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
