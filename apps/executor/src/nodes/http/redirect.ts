import type { AttemptSecrets } from '../secrets.js';
import { AttemptFailure } from '../performance.js';
import type { CallAnswer, CallRequest } from './call.js';
import { parseUrl } from './request.js';

const redirects = new Set([301, 302, 303, 307, 308]);
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'host', 'x-api-key']);

/** The request that an answer redirects to; null: it redirects nowhere. @throws AttemptFailure where that must not be called */
export function redirected(request: CallRequest, answer: CallAnswer, secrets: AttemptSecrets): CallRequest | null {
  const location = answer.headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined || !redirects.has(answer.status)) return null;
  let url: URL;
  try {
    url = parseUrl(location, request.url);
  } catch (error) {
    const { code, message } = error as AttemptFailure;
    throw new AttemptFailure('PERMANENT', code, `redirect of ${request.url.origin}: ${message}`, {
      status: answer.status,
    });
  }
  return url.origin === request.url.origin ? { ...request, url } : withoutCredentials(request, url, secrets);
}

/** To another origin goes nothing that was meant for the first alone: credentials, secrets, and no body. */
function withoutCredentials(request: CallRequest, url: URL, secrets: AttemptSecrets): CallRequest {
  const headers = Object.entries(request.headers).filter(
    ([name, value]) =>
      !credentials.has(name) && !secrets.areIn(value) && !(name.startsWith('content-') && request.body !== null),
  );
  return { ...request, url, headers: Object.fromEntries(headers), body: null };
}
