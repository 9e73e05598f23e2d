/** One node of a definition, without regard to the graph. */
import { readConfig } from './config/read-config.js';
import type { NodeDraft, Use } from './draft.js';
import { Fields, type Located } from './fields.js';
import { nameRule, nodeIdRefusal } from './name-rule.js';
import { defaultTimeoutMs, readDestinations, readErrorRules, readRetry } from './node-policy.js';
import type { Place } from './place.js';
import { isPerformed, nodeTypes } from './plan.js';

const int4 = 2 ** 31 - 1;
/** The most that `maxOutput` may allow, in bytes: 16 MiB. */
const maxOutputBytes = 16 * 1024 * 1024;

/**
 * @param inlineId for an inline node, the id of its spawner; null where that is bad; undefined for a node with its own id
 */
export function readNode(value: Located, index: number, around: Place, inlineId?: string | null): NodeDraft {
  const uses: Use[] = [];
  const place: Place = { ...around, note: (references, path) => uses.push({ references, path }) };
  const fields = Fields.read(value, place);
  if (!fields) return { node: null, index, path: value.path, id: null, type: null, mergeOf: null, uses };
  const id = inlineId === undefined ? readId(fields) : inlineId;
  fields.required('type');
  const type = fields.oneOf('type', nodeTypes);
  const isPerformedHere = type !== null && isPerformed(type) && !place.roots.includes('items');
  const roots: Place['roots'] = isPerformedHere ? [...place.roots, 'frozen'] : place.roots;
  const config = readConfigFields(fields, { ...place, roots, nodeId: id });
  const retry = readRetry(fields);
  const errors = readErrorRules(fields);
  const timeout = fields.duration('timeout');
  const maxConcurrency = fields.integer('maxConcurrency', 1, int4);
  const queue = fields.string('queue', nameRule) ?? 'default';
  const outputLimit = fields.integer('maxOutput', 1, maxOutputBytes);
  const join = fields.oneOf('join', ['ALL_SUCCEEDED', 'ALL_DONE', 'ANY_SUCCEEDED']) ?? 'ALL_SUCCEEDED';
  const destinations = readDestinations(fields, type);
  fields.finish();
  const shared = { index, path: value.path, id, type, uses };
  if (type === null || !config) return { ...shared, node: null, mergeOf: null };
  const read = readConfig(type, config);
  const mergeOf = type === 'MERGE' ? config.string('of') : null;
  const innerTimeout = type === 'SIGNAL' ? config.duration('timeout') : null;
  const innerLimit = type === 'SHELL' ? config.integer('maxOutput', 1, maxOutputBytes) : null;
  config.finish();
  if (id === null || !read) return { ...shared, node: null, mergeOf };
  const timeoutMs = timeout ?? innerTimeout ?? defaultTimeoutMs(type);
  const maxOutput = outputLimit ?? innerLimit;
  const policy = { retry, errors, timeoutMs, maxConcurrency, queue, maxOutput, join, destinations };
  return { ...shared, node: { index, id, type, config: read, ...policy }, mergeOf };
}

function readId(fields: Fields): string | null {
  const id = fields.requiredString('id');
  const refusal = id === null ? null : nodeIdRefusal(id);
  if (refusal === null) return id;
  return fields.report('id', refusal);
}

function readConfigFields(fields: Fields, place: Place): Fields | null {
  const value = fields.raw('config');
  return value ? Fields.read(value, place) : Fields.empty(fields.pathOf('config'), place);
}
