/** A node as it was written, before the graph around it is known. */
import type { References } from '../expression/scope.js';
import type { NodeType, PlannedNode } from './plan.js';

export interface NodeDraft {
  /** Everything of the planned node that does not depend on edges; null where its id, type or configuration is bad. */
  readonly node: Omit<
    PlannedNode,
    'yields' | 'incoming' | 'outgoing' | 'reads' | 'rank' | 'inDegree' | 'criticalPath'
  > | null;
  readonly index: number;
  readonly path: string;
  readonly id: string | null;
  readonly type: NodeType | null;
  /** `of` of a MERGE as it was written. */
  readonly mergeOf: string | null;
  /** What its templates refer to. */
  readonly uses: readonly Use[];
}

export interface Use {
  readonly references: References;
  readonly path: string;
}

export interface EdgeDraft {
  readonly index: number;
  readonly path: string;
  /** Positions of nodes. */
  readonly from: number;
  readonly to: number;
}
