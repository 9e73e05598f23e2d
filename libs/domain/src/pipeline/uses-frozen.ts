import type { Template } from '../expression/template.js';
import type { NodeConfig, PlannedNode } from './plan.js';

/** Whether what an executor performs needs what was looked up for the item of its execution. */
export function usesFrozen({ config }: Pick<PlannedNode, 'config'>): boolean {
  return templatesOf(config).some((template) => template?.references.roots.includes('frozen'));
}

function templatesOf(config: NodeConfig): readonly (Template | null)[] {
  switch (config.type) {
    case 'HTTP':
      return [config.url, config.headers, config.body];
    case 'SHELL':
      return [...config.command, config.env, config.stdin];
    case 'SCRIPT':
      return [config.env];
    case 'HANDLER':
      return [config.input];
    default:
      return [];
  }
}
