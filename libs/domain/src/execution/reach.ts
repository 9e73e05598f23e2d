/**
 * Which tasks of a large graph a decision reads: those of the nodes it is about, what is behind them, and what leads there. All of
 * it follows from the plan alone, so only these tasks are loaded, however large the graph is.
 *
 * A node with very many upstream nodes is not asked for all of them each time one settles: one of them that is open is enough to know
 * that it waits. They are looked at in the order of its edges from the one on that was last seen open, a few more each time none
 * of them is; so all of them together are looked at about once while the graph runs.
 */
import { isPerformed, type Plan, type PlannedEdge, type PlannedNode } from '../pipeline/plan.js';
import { isMapped, mergeOf, nodeById } from '../pipeline/plan-index.js';

/** With more upstream nodes than this, a node is asked for some of them at a time. */
const fewUpstream = 32;
const firstLook = 8;

export interface Reach {
  /** Nodes whose tasks are read. */
  readonly nodes: ReadonlySet<number>;
  /** Those of them whose outputs are read. */
  readonly outputs: ReadonlySet<number>;
  readonly looks: Looks;
}

/**
 * For nodes with very many upstream nodes: the edges they are asked for, each with its position among the node's edges; null where
 * it is asked for because its upstream node has just settled.
 */
export type Looks = ReadonlyMap<number, ReadonlyMap<PlannedEdge, number | null>>;

export interface ReachOptions {
  /** How often this decision has lacked something: each time it is given more. */
  readonly round: number;
  /** For a node with many upstream nodes: the position among its edges where one was last seen open. */
  readonly openFrom: (node: number) => number;
}

export function isWide(node: PlannedNode): boolean {
  return node.incoming.length > fewUpstream;
}

/** Nodes that a decision's own evaluations for a node refer to; what an executor performs is evaluated there. */
export function templateReads({ type, reads }: PlannedNode): readonly number[] {
  return type === 'TRANSFORM' || type === 'WAIT' ? reads : [];
}

/** Nodes whose outputs or states a node sees in its own templates, its mapped input included. */
export function upstreamReads(plan: Plan, node: PlannedNode): number[] {
  if (!isMapped(plan, node.index)) return [...node.reads];
  return [...new Set([...node.reads, ...node.incoming.flatMap((edge) => [edge.from, ...edgeReads(plan, edge)])])];
}

/** Nodes that the condition and the mapping of an edge refer to. */
export function edgeReads(plan: Plan, { condition, mapping }: PlannedEdge): number[] {
  if (!condition && !mapping) return [];
  return positions(plan, [...(condition?.references.nodes ?? []), ...(mapping?.references.nodes ?? [])]);
}

/** @param from what the decision is about, or lacked */
export function reachOf(plan: Plan, from: readonly number[], options: ReachOptions): Reach {
  const { round, openFrom } = options;
  const nodes = new Set<number>();
  const outputs = new Set<number>();
  // those that are there with all that their way depends on
  const whole = new Set<number>();
  const looks = new Map<number, Map<PlannedEdge, number | null>>();
  const ahead = [...new Set(from)];
  const queued = new Set(ahead);
  // What lacked something goes on through nodes of every kind, each time twice as far: they are skipped, or never run.
  const most = ahead.length + (round === 0 ? 200 : 100 * 2 ** round);
  for (let i = 0; i < ahead.length; i++) {
    const node = plan.nodes[ahead[i]!]!;
    addNode(node);
    for (const edge of node.outgoing) {
      const next = plan.nodes[edge.to]!;
      addNode(next);
      if (isWide(next)) lookAt(next, edge, null);
      if (queued.has(edge.to) || ahead.length >= most || (round === 0 && isPerformed(next.type))) continue;
      queued.add(edge.to);
      ahead.push(edge.to);
    }
  }
  return { nodes, outputs, looks };

  function addNode(node: PlannedNode): void {
    const { config, index } = node;
    if (whole.has(index)) return;
    whole.add(index);
    nodes.add(index);
    if (config.type === 'MERGE') nodes.add(config.of);
    else if (config.type === 'SPAWNER') nodes.add(mergeOf(plan, index)?.index ?? index);
    for (const read of templateReads(node)) addRead(read);
    if (!isWide(node)) for (const edge of node.incoming) addEdge(edge);
    else lookAhead(node);
  }

  function lookAhead(node: PlannedNode): void {
    const count = node.incoming.length;
    const first = openFrom(node.index);
    const few = isMapped(plan, node.index) ? count : Math.min(count, firstLook * 8 ** round);
    for (let i = first; i < first + few; i++) lookAt(node, node.incoming[i % count]!, i % count);
  }

  function lookAt(node: PlannedNode, edge: PlannedEdge, position: number | null): void {
    let edges = looks.get(node.index);
    if (!edges) looks.set(node.index, (edges = new Map()));
    edges.set(edge, position ?? edges.get(edge) ?? null);
    addEdge(edge);
  }

  function addEdge(edge: PlannedEdge): void {
    nodes.add(edge.from);
    for (const read of edgeReads(plan, edge)) addRead(read);
  }

  function addRead(node: number): void {
    nodes.add(node);
    outputs.add(node);
  }
}

function positions(plan: Plan, ids: readonly string[]): number[] {
  return ids.flatMap((id) => nodeById(plan, id)?.index ?? []);
}
