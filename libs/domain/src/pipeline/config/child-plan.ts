/** What a child of SPAWNER or PIPELINE runs. */
import type { Fields } from '../fields.js';
import { maxNesting } from '../place.js';
import type { ChildPlan, PipelineNodeConfig } from '../plan.js';

const reference = {
  pattern: /^[a-z0-9][a-z0-9._-]{0,127}(@[1-9]\d{0,8})?$/,
  wording: 'the name of a pipeline, or name@version',
};

/** `pipeline`: a name that is resolved once, or a name with its version. Calling oneself is refused. */
export function readPipelineName(config: Fields): ChildPlan | null {
  const text = config.requiredString('pipeline', reference);
  if (text === null) return null;
  const [name, version] = text.split('@') as [string, string?];
  if (name === config.place.pipeline) return config.report('pipeline', `spawn recursion: ${name} would start itself`);
  return { kind: 'pipeline', name, version: version === undefined ? null : Number(version) };
}

/** `pipeline`, or an inline `node`. */
export function readChild(config: Fields): ChildPlan | null {
  const node = config.raw('node');
  if (!node) {
    if (config.has('pipeline')) return readPipelineName(config);
    config.place.report.add(config.path, 'needs either pipeline or node');
    return null;
  }
  if (config.raw('pipeline')) config.place.report.add(config.path, 'needs either pipeline or node, not both');
  const nesting = config.place.nesting + 1;
  if (nesting > maxNesting) return config.report('node', `nested more than ${maxNesting} deep`);
  const plan = config.place.inline(node.text, node.path, { ...config.place, nesting });
  return plan && { kind: 'inline', plan };
}

export function readPipelineNode(config: Fields): PipelineNodeConfig | null {
  const child = readPipelineName(config);
  const input = config.template('input');
  return child && { type: 'PIPELINE', child, input };
}
