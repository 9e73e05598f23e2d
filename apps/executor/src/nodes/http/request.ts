import {
  evaluateTemplate,
  evaluateToText,
  fnv1a64,
  isHeaderText,
  jsonKind,
  decodeString,
  sliceMembers,
  squeeze,
  type HttpConfig,
  type Scope,
} from '@app/domain';
import { taskId, type ClaimedTask } from '../../running/claimed-task.js';
import { AttemptFailure } from '../performance.js';
import type { CallRequest } from './call.js';

/** The types of content that JSON is sent and read as. */
const jsonType = /^(application\/json|[^;\s]+\/[^;\s]+\+json)\s*(;|$)/i;

export function isJsonType(contentType: string): boolean {
  return jsonType.test(contentType.trim());
}

/**
 * The request of an HTTP node for one attempt.
 * @throws ExpressionFailure, MissingSecret, AttemptFailure (permanent)
 */
export function requestOf(config: HttpConfig, task: ClaimedTask, scope: Scope): CallRequest {
  const url = parseUrl(evaluateToText(config.url, scope));
  const headers = headersOf(evaluateTemplate(config.headers, scope));
  const body = config.body === null ? null : bodyOf(evaluateTemplate(config.body, scope), headers);
  if (body !== null) headers['content-type'] ??= 'application/json';
  headers['user-agent'] ??= 'fanfold';
  return { url, method: config.method, headers: { ...headers, ...headersOfTask(task) }, body };
}

/**
 * A URL that may be called, as far as its text tells.
 * @throws AttemptFailure (permanent), without the text: it may hold a secret
 */
export function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null;
  if (!url) throw new AttemptFailure('PERMANENT', 'HTTP.URL_INVALID', 'the URL cannot be read');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AttemptFailure(
      'PERMANENT',
      'HTTP.ADDRESS_REFUSED',
      `the URL must start with http: or https:, not ${url.protocol}`,
    );
  if (url.username !== '' || url.password !== '')
    throw new AttemptFailure(
      'PERMANENT',
      'HTTP.URL_INVALID',
      'the URL must not hold credentials; send them in a header',
    );
  return url;
}

/** Stable across attempts: the idempotency key. Per attempt: what names the call in traces. */
function headersOfTask(task: ClaimedTask): Record<string, string> {
  const id = taskId(task);
  const call = `${id}-${task.attempt}`;
  return {
    'idempotency-key': id,
    'x-execution-id': call,
    traceparent: `00-${task.rootId.replaceAll('-', '')}-${fnv1a64(call)}-01`,
  };
}

function headersOf(text: string): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of sliceMembers(text)) headers[name.toLowerCase()] = headerValue(name, value);
  return headers;
}

function headerValue(name: string, value: string): string {
  const kind = jsonKind(value);
  const refuse = (why: string) => new AttemptFailure('PERMANENT', 'HTTP.HEADER_INVALID', `header ${name} ${why}`);
  if (kind === 'null' || kind === 'object' || kind === 'array') throw refuse(`has no plain text: its value is ${kind}`);
  const plain = kind === 'string' ? decodeString(value) : squeeze(value);
  if (!isHeaderText(plain)) throw refuse('holds a line break or another character that no header can carry');
  return plain;
}

/** JSON goes out as its exact text; with another type of content, the text of a string. */
function bodyOf(text: string, headers: Readonly<Record<string, string>>): string {
  const type = headers['content-type'];
  if (type === undefined || isJsonType(type)) return text;
  const kind = jsonKind(text);
  if (kind === 'string') return decodeString(text);
  throw new AttemptFailure(
    'PERMANENT',
    'HTTP.BODY_INVALID',
    `the body must be a string, as the content type is not JSON; it is ${kind}`,
  );
}
