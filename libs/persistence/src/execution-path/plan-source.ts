import { isPerformed, parsePipeline, type Plan, type PlannedNode } from '@app/domain';
import type { Tx } from '../database/database.js';
import { findVersion } from './find-version.sql.js';
import { latestVersion } from './latest-version.sql.js';

export interface VersionedPlan {
  readonly versionId: number;
  readonly name: string;
  readonly version: number;
  /** The plan of the version itself. */
  readonly whole: Plan;
  readonly path: readonly number[];
  /** The plan that `path` leads to: of an inline child, or the version's own. */
  readonly plan: Plan;
}

const capacity = 500;

/**
 * Plans by version, computed once from the definition, which never changes. A process keeps the ones used last. Inside a
 * transaction they are read through it: one that waited for a second connection of the pool while others do the same would wait
 * for ever.
 */
export class PlanSource {
  private readonly versions = new Map<number, { name: string; version: number; plan: Plan }>();
  private readonly paths = new Map<string, VersionedPlan>();

  /** @throws Error when there is no such version: plans are immutable, so that is a defect. */
  async at(db: Tx, versionId: number, path: readonly number[]): Promise<VersionedPlan> {
    const key = `${versionId}/${path.join('.')}`;
    const known = this.paths.get(key);
    if (known) return known;
    const { name, version, plan } = await this.version(db, versionId);
    const found: VersionedPlan = { versionId, name, version, whole: plan, path, plan: descend(plan, path) };
    remember(this.paths, key, found);
    return found;
  }

  /** The version a bare or pinned pipeline name stands for now; null when there is none. */
  async resolve(db: Tx, name: string, version: number | null): Promise<number | null> {
    const { rows } = await db.query<{ id: number }>(latestVersion, [name, version]);
    return rows[0]?.id ?? null;
  }

  private async version(db: Tx, id: number): Promise<{ name: string; version: number; plan: Plan }> {
    const known = this.versions.get(id);
    if (known) return known;
    const { rows } = await db.query<{ name: string; version: number; definition: string }>(findVersion, [id]);
    const row = rows[0];
    if (!row) throw new Error(`pipeline version ${id} is not there`);
    const parsed = parsePipeline(row.definition);
    if (!parsed.ok)
      throw new Error(`pipeline ${row.name}@${row.version} does not parse any more: ${parsed.defects[0]?.message}`);
    const found = { name: row.name, version: row.version, plan: parsed.plan };
    remember(this.versions, id, found);
    return found;
  }
}

/**
 * Names under which a task counts against limits: its own destinations, the host it calls, and the concurrency of its
 * node and pipeline, and pressure where it gives way to that. Known before the task is admitted, as none of them depends on the item.
 */
export function destinationsOf(at: VersionedPlan, node: PlannedNode): string[] {
  const names = node.destinations.map((d) => d.name);
  if (node.config.type === 'HTTP' && node.config.host) {
    const host = node.config.host;
    const bare = host.replace(/:\d+$/, '');
    names.push(`host:${host}`);
    if (bare !== host) names.push(`host:${bare}`);
  }
  if (node.maxConcurrency !== null) names.push(nodeLimitName(at, node));
  if (at.whole.maxConcurrency !== null) names.push(`pipeline:${at.name}`);
  if (node.yields) names.push(pressureName(at, node));
  return names;
}

export interface OwnLimit {
  readonly name: string;
  readonly maxConcurrency: number | null;
  /** None may start while there is pressure. */
  readonly yields: boolean;
}

/** Limits of the definition itself, to be there as destinations before a task counts against them. */
export function ownLimits(at: VersionedPlan, node: PlannedNode): OwnLimit[] {
  const limits: OwnLimit[] = [];
  if (node.yields) limits.push({ name: pressureName(at, node), maxConcurrency: null, yields: true });
  if (node.maxConcurrency !== null)
    limits.push({ name: nodeLimitName(at, node), maxConcurrency: node.maxConcurrency, yields: false });
  if (at.whole.maxConcurrency !== null)
    limits.push({ name: `pipeline:${at.name}`, maxConcurrency: at.whole.maxConcurrency, yields: false });
  return limits;
}

/**
 * The node a child begins with when that is all its admission needs to know: one start, performed by an executor. A child
 * with a deadline of its own is laid out, which sets the deadline's timer.
 */
export function simpleStart(plan: Plan): PlannedNode | null {
  const first = plan.timeoutMs === null && plan.roots.length === 1 ? plan.nodes[plan.roots[0]!]! : null;
  return first && isPerformed(first.type) ? first : null;
}

function nodeLimitName(at: VersionedPlan, node: PlannedNode): string {
  return `node:${at.name}/${[...at.path, node.index].join('.')}`;
}

/** By the node's id, as it is the same node in the next version. */
function pressureName(at: VersionedPlan, node: PlannedNode): string {
  return `pressure:${at.name}/${[...at.path, node.id].join('.')}`;
}

function descend(plan: Plan, path: readonly number[]): Plan {
  return path.reduce((current, index) => {
    const config = current.nodes[index]?.config;
    const child = config?.type === 'SPAWNER' || config?.type === 'PIPELINE' ? config.child : null;
    if (child?.kind !== 'inline') throw new Error(`there is no inline child at ${path.join('.')}`);
    return child.plan;
  }, plan);
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= capacity) map.delete(map.keys().next().value as K);
  map.set(key, value);
}
