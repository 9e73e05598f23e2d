import { jsonKind } from '../../json/cut.js';
import { Fields, readOneOf, readTemplate, shown, type Located } from '../fields.js';
import type { ItemSource, SpawnerConfig } from '../plan.js';
import { readChild } from './child-plan.js';
import { readFreeze } from './freeze.js';
import { readRollout } from './rollout.js';

const int4 = 2 ** 31 - 1;
/** What one child may get as its input. */
const maxItemBytes = 256 * 1024;

export function readSpawner(config: Fields): SpawnerConfig | null {
  const source = config.required('items');
  const items = source && readItems(source, config);
  const child = readChild(config);
  const freeze = readFreeze(config);
  const input = readInput(config);
  const itemKey = config.template('itemKey');
  const batch = readBatch(config);
  const maxConcurrency = config.integer('maxConcurrency', 1, int4);
  const priority = config.integer('priority', 0, 9);
  const rollout = readRollout(config);
  const pausesUnderPressure = readOnPressure(config);
  if (!items || !child) return null;
  return {
    type: 'SPAWNER',
    items,
    child,
    input,
    itemKey,
    batch,
    maxConcurrency,
    priority,
    freeze,
    rollout,
    pausesUnderPressure,
  };
}

/** The input of a child sees what was looked up for its item. */
function readInput(config: Fields): SpawnerConfig['input'] {
  const value = config.raw('input');
  const { place } = config;
  return (
    value && readTemplate(value, config.has('freeze') ? { ...place, roots: [...place.roots, 'frozen'] } : place, false)
  );
}

function readBatch(config: Fields): SpawnerConfig['batch'] {
  const batch = config.object('batch');
  if (!batch) return null;
  const maxItems = batch.integer('maxItems', 1, 10_000) ?? 100;
  const maxBytes = batch.integer('maxBytes', 1, maxItemBytes) ?? maxItemBytes;
  batch.finish();
  return { maxItems, maxBytes };
}

/** `onPressure: "DEFER"`, or `{"pause": id}`: which upstream node gives way in place of the fan-out. */
function readOnPressure(config: Fields): string | null {
  const value = config.raw('onPressure');
  if (!value || value.text === '"DEFER"') return null;
  if (jsonKind(value.text) !== 'object')
    return config.report('onPressure', `must be "DEFER" or {"pause": "<node>"}, is ${shown(value.text)}`);
  const fields = Fields.read(value, config.place)!;
  const pause = fields.requiredString('pause');
  fields.finish();
  return pause;
}

function readItems(source: Located, config: Fields): ItemSource | null {
  const { place } = config;
  switch (jsonKind(source.text)) {
    case 'array': {
      const list = readTemplate(source, place, false);
      return list && { kind: 'list', list };
    }
    case 'string': {
      const list = readTemplate(source, place, false);
      if (!list || list.tree.kind === 'value') return list && { kind: 'list', list };
      return config.report('items', `must be a list, or a template that gives one, is ${shown(source.text)}`);
    }
    case 'object':
      return readSource(Fields.read(source, place)!);
    default:
      return config.report('items', `must be a list, is ${shown(source.text)}`);
  }
}

function readSource(fields: Fields): ItemSource | null {
  const dataset = fields.textTemplate('dataset');
  const of = fields.string('results');
  const states = readStates(fields);
  fields.finish();
  if (fields.has('dataset') === fields.has('results')) {
    fields.place.report.add(fields.path, 'needs either dataset or results');
    return null;
  }
  if (fields.has('dataset')) {
    if (fields.has('state')) fields.report('state', 'goes with results only');
    return dataset && { kind: 'dataset', dataset };
  }
  return of === null ? null : { kind: 'results', of, states };
}

const settledStates = ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

function readStates(fields: Fields): readonly (typeof settledStates)[number][] {
  const list = fields.list('state');
  if (!list) return ['SUCCEEDED'];
  if (list.length === 0) fields.report('state', 'must name at least one state');
  const states = list.flatMap((entry) => readOneOf(entry, settledStates, fields.place) ?? []);
  return [...new Set(states)];
}
