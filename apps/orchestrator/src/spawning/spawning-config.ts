import { compileTemplate, type PlannedNode, type SpawnerConfig, type Template } from '@app/domain';

/** The list of a PIPELINE without `input`: the execution's own. */
const ownInput = compiled('["${input}"]');

/** What a node spawns, as a spawner says it: a PIPELINE is a fan-out of one whose item is the child's input. */
export function spawningConfig({ id, config }: PlannedNode): SpawnerConfig {
  if (config.type === 'SPAWNER') return config;
  if (config.type !== 'PIPELINE') throw new Error(`node ${id} spawns nothing`);
  return {
    type: 'SPAWNER',
    items: { kind: 'list', list: config.input ? listOf(config.input) : ownInput },
    child: config.child,
    input: null,
    itemKey: null,
    batch: null,
    maxConcurrency: null,
    priority: null,
    freeze: null,
    rollout: null,
    pausesUnderPressure: null,
  };
}

function listOf(one: Template): Template {
  return {
    ...one,
    source: `[${one.source}]`,
    literalPrefix: null,
    constantText: one.constantText === null ? null : `[${one.constantText}]`,
    tree: { kind: 'array', elements: [one.tree] },
  };
}

function compiled(text: string): Template {
  const result = compileTemplate(text, { path: 'input', allowSecrets: false, roots: ['input'] });
  if (!result.ok) throw new Error(result.defects[0]?.message);
  return result.template;
}
