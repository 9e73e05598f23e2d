import type { Fields } from '../fields.js';
import type { NodeConfig, NodeType } from '../plan.js';
import { readPipelineNode } from './child-plan.js';
import { readHttp } from './http.js';
import { readMerge } from './merge.js';
import { readScript } from './script.js';
import { readShell } from './shell.js';
import { readHandler, readSignal, readTransform, readWait } from './simple.js';
import { readSpawner } from './spawner.js';

const readers: Record<NodeType, (config: Fields) => NodeConfig | null> = {
  HTTP: readHttp,
  SHELL: readShell,
  SCRIPT: readScript,
  HANDLER: readHandler,
  TRANSFORM: readTransform,
  SPAWNER: readSpawner,
  MERGE: readMerge,
  WAIT: readWait,
  SIGNAL: readSignal,
  PIPELINE: readPipelineNode,
};

/** The configuration of a node of that type; the caller finishes the fields. */
export function readConfig(type: NodeType, config: Fields): NodeConfig | null {
  return readers[type](config);
}
