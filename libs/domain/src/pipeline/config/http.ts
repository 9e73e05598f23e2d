import type { Template } from '../../expression/template.js';
import { cutPath, jsonKind } from '../../json/cut.js';
import { sliceMembers } from '../../json/slice.js';
import { decodeString } from '../../json/string-text.js';
import type { Fields } from '../fields.js';
import type { HttpConfig } from '../plan.js';
import { headerDefect } from './header.js';
import { readRanges } from './ranges.js';
import { readTextMap } from './text-map.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function readHttp(config: Fields): HttpConfig | null {
  const method = config.oneOf('method', methods) ?? 'GET';
  const { url, host, headers } = readHttpTarget(config);
  const body = config.template('body', { allowSecrets: true });
  if (body) checkBody(config, headers, body);
  const expect = readRanges(config, 'expect', 100, 599) ?? [[200, 299]];
  if (expect.length === 0) config.report('expect', 'must name at least one status');
  const redirects = config.integer('redirects', 0, 5) ?? 0;
  if (redirects > 0 && method !== 'GET' && method !== 'HEAD')
    config.report('redirects', `are followed for GET and HEAD only, not for ${method}`);
  return url && { type: 'HTTP', method, url, host, headers, body, expect, redirects };
}

/** Where a call goes and with which headers: `url` and `headers` of an object. */
export function readHttpTarget(
  config: Fields,
): Pick<HttpConfig, 'host' | 'headers'> & { readonly url: Template | null } {
  config.required('url');
  const url = config.textTemplate('url', { allowSecrets: true });
  const headers = readHeaders(config);
  return { url, host: url && readHost(config, url), headers };
}

/** `host[:port]` of the URL where its literal beginning holds all of it, lower case. */
function readHost(config: Fields, url: Template): string | null {
  const prefix = url.literalPrefix ?? '';
  const scheme = /^https?:\/\//i.exec(prefix)?.[0];
  if (scheme === undefined) {
    const mayBecome = !url.isConstant && ['http://', 'https://'].some((s) => s.startsWith(prefix.toLowerCase()));
    if (!mayBecome) config.report('url', 'must start with http:// or https://');
    return null;
  }
  const rest = prefix.slice(scheme.length);
  const end = rest.search(/[/?#\\]/);
  if (end === -1 && !url.isConstant) return null;
  const host = (end === -1 ? rest : rest.slice(0, end)).toLowerCase();
  if (host.includes('@')) config.report('url', 'must not hold credentials; send them in a header');
  else if (!namesHost(scheme, host)) config.report('url', 'must name a host');
  return host;
}

/** Also by the rules of the parser that reads it at the call: ports, addresses, characters of names. */
function namesHost(scheme: string, host: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[^\s:[\]]+)(:\d{1,5})?$/.test(host) && URL.canParse(`${scheme}${host}/`);
}

function readHeaders(config: Fields): Template {
  const seen = new Set<string>();
  return readTextMap(config, 'headers', (name, value) => {
    const defect = headerDefect(name, value);
    if (defect !== null) return defect;
    const lower = name.toLowerCase();
    if (seen.has(lower)) return 'is given twice';
    seen.add(lower);
    return null;
  });
}

/** With a content type that is not JSON, the body is sent as it is and must be a string. */
function checkBody(config: Fields, headers: Template, body: Template): void {
  const type = constantContentType(headers);
  if (type === null || /^(application\/json|[^;]*\+json)\s*(;|$)/i.test(type)) return;
  const kind = jsonKind(body.source);
  if (kind !== 'string') config.report('body', `must be a string, as the content type is ${type}; it is ${kind}`);
}

function constantContentType(headers: Template): string | null {
  for (const [name] of sliceMembers(headers.source)) {
    if (name.toLowerCase() !== 'content-type') continue;
    const value = cutPath(headers.source, [name]);
    if (value?.startsWith('"') && !value.includes('${')) return decodeString(value);
  }
  return null;
}
