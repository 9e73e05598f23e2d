/** What every node may have beside its configuration: retry, errors, destinations, time-out. */
import { jsonKind } from '../json/cut.js';
import { decodeString } from '../json/string-text.js';
import { defaultRetryPolicy, type RetryPolicy } from '../retry/retry-policy.js';
import { Fields, readString, type Located } from './fields.js';
import { nameRule } from './name-rule.js';
import type { Place } from './place.js';
import { isPerformed, type ErrorRule, type NodeType, type PlannedNode } from './plan.js';

/** Milliseconds per attempt where nothing is written (api.md): 30 s for HTTP, 30 min for the others an executor performs. */
export function defaultTimeoutMs(type: NodeType): number | null {
  if (type === 'HTTP') return 30_000;
  return isPerformed(type) ? 1_800_000 : null;
}

export function readRetry(node: Fields): RetryPolicy {
  const retry = node.object('retry');
  if (!retry) return defaultRetryPolicy;
  const policy: RetryPolicy = {
    maxAttempts: retry.integer('maxAttempts', 1, 1_000) ?? defaultRetryPolicy.maxAttempts,
    initialDelayMs: retry.duration('initialDelay', 0) ?? defaultRetryPolicy.initialDelayMs,
    backoff: retry.number('backoff', 1, 100) ?? defaultRetryPolicy.backoff,
    maxDelayMs: retry.duration('maxDelay', 0) ?? defaultRetryPolicy.maxDelayMs,
    jitter: retry.number('jitter', 0, 1) ?? defaultRetryPolicy.jitter,
  };
  retry.finish();
  return policy;
}

export function readErrorRules(node: Fields): readonly ErrorRule[] {
  const list = node.list('errors') ?? [];
  return list.flatMap((entry) => readErrorRule(entry, node.place) ?? []);
}

function readErrorRule(entry: Located, place: Place): ErrorRule | null {
  const rule = Fields.read(entry, place);
  if (!rule) return null;
  const status = rule.integer('status', 100, 599);
  const code = rule.string('code');
  const match = rule.string('match');
  rule.required('treatAs');
  const treatAs = rule.oneOf('treatAs', ['PERMANENT', 'TRANSIENT', 'SUCCEEDED']);
  if (!rule.has('status') && !rule.has('code') && !rule.has('match'))
    place.report.add(entry.path, 'needs status, code or match');
  if (code === '' || match === '') place.report.add(entry.path, 'code and match must not be empty');
  rule.finish();
  return (
    treatAs && {
      ...(status === null ? {} : { status }),
      ...(code === null ? {} : { code }),
      ...(match === null ? {} : { match }),
      treatAs,
    }
  );
}

export function readDestinations(node: Fields, type: NodeType | null): PlannedNode['destinations'] {
  const list = node.list('destinations');
  if (!list) return [];
  if (type && !isPerformed(type)) node.report('destinations', `has no meaning for ${type}, which no executor performs`);
  const seen = new Set<string>();
  return list.flatMap((entry) => {
    const destination = readDestination(entry, node.place);
    if (!destination) return [];
    if (seen.has(destination.name)) node.place.report.add(entry.path, `destination ${destination.name} is given twice`);
    seen.add(destination.name);
    return [destination];
  });
}

function readDestination(entry: Located, place: Place): PlannedNode['destinations'][number] | null {
  if (jsonKind(entry.text) !== 'object') {
    const name = readString(entry, place, nameRule);
    return name === null ? null : { name, cost: null };
  }
  const fields = Fields.read(entry, place)!;
  const name = fields.requiredString('name', nameRule);
  const cost = fields.template('cost');
  if (cost?.isConstant && !isCost(cost.constantText!))
    fields.report('cost', `must be a number of at least 0 or a template, is ${cost.constantText}`);
  fields.finish();
  return name === null ? null : { name, cost };
}

function isCost(text: string): boolean {
  const value = Number(jsonKind(text) === 'string' ? decodeString(text) || NaN : text);
  return jsonKind(text) !== 'null' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
