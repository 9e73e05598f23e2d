import { STATUS_CODES } from 'node:http';
import { AttemptFailure } from '../performance.js';
import { AddressRefused } from './guarded-agent.js';

/** Codes of Node and undici, by the failure that they are. */
const codes: readonly (readonly [code: string, message: string, causes: readonly string[]])[] = [
  ['HTTP.CONNECTION_REFUSED', 'refused the connection', ['ECONNREFUSED']],
  [
    'HTTP.CONNECTION_RESET',
    'broke the connection off',
    ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'],
  ],
  [
    'HTTP.DNS_FAILED',
    'could not be found by name',
    ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL', 'EBADNAME'],
  ],
  [
    'HTTP.TIMED_OUT',
    'did not take the connection in time',
    ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  ],
  [
    'HTTP.UNREACHABLE',
    'cannot be reached from here',
    ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN', 'EACCES', 'EPERM', 'EINVAL'],
  ],
  [
    'HTTP.ANSWER_INVALID',
    'gave an answer that is no HTTP/1.1',
    ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RESPONSE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
  ],
];

const refusedRequests = [
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_ARG_TYPE',
];

/**
 * What an error of the network says, without the words of the error itself, which may hold what is not to be told. All are
 * transient but refused addresses and requests that can never be sent.
 */
export function networkFailure(error: unknown, url: URL): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  if (error instanceof AddressRefused) return new AttemptFailure('PERMANENT', 'HTTP.ADDRESS_REFUSED', error.message);
  const all = [...causesOf(error)];
  const names = all.map((e) => e.code ?? '');
  if (names.some((name) => refusedRequests.includes(name)))
    return new AttemptFailure(
      'PERMANENT',
      'HTTP.REQUEST_INVALID',
      `the request cannot be sent: ${all[0]?.message ?? ''}`.slice(0, 300),
    );
  const known = codes.find(([, , causes]) => names.some((name) => causes.includes(name)));
  if (known) return transient(known[0], `${url.origin} ${known[1]}`, names);
  if (all.some((e) => e.name === 'HTTPParserError'))
    return transient('HTTP.ANSWER_INVALID', `${url.origin} gave an answer that is no HTTP/1.1`, names);
  const isTls = names.some((name) => /^ERR_(SSL|TLS)|CERT|SELF_SIGNED|UNABLE_TO|^EPROTO$|HOSTNAME_MISMATCH/.test(name));
  if (isTls) return transient('HTTP.TLS_FAILED', `no secure connection to ${url.origin}`, names);
  return transient('HTTP.FAILED', `the call to ${url.origin} failed`, names);
}

function transient(code: string, message: string, names: readonly string[]): AttemptFailure {
  const cause = names.find((name) => name !== '');
  return new AttemptFailure('TRANSIENT', code, cause === undefined ? message : `${message} (${cause})`);
}

interface Caused {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** The error, its causes, and the parts of an aggregate: one per address that was tried. */
function* causesOf(error: unknown, depth = 0): Generator<Caused> {
  if (typeof error !== 'object' || error === null || depth > 5) return;
  const caused = error as Caused;
  yield caused;
  for (const part of caused.errors ?? []) yield* causesOf(part, depth + 1);
  yield* causesOf(caused.cause, depth + 1);
}

/** What a status says, in words that are ours and not the destination's. */
export function statusMessage(url: URL, status: number): string {
  const phrase = STATUS_CODES[status];
  return `${url.origin} answered ${status}${phrase === undefined ? '' : ` ${phrase}`}`;
}
