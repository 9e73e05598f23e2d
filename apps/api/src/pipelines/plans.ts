import { parsePipeline, type Plan, type PlannedNode } from '@app/domain';
import type { Database, PipelineStore } from '@app/persistence';

export interface VersionPlan {
  readonly versionId: number;
  readonly name: string;
  readonly version: number;
  readonly plan: Plan;
}

const kept = 200;

/** Plans by version id. A version never changes, so a plan once made stays right; the least recently used go first. */
export class Plans {
  private readonly byVersion = new Map<number, VersionPlan>();
  private readonly newest = new Map<string, VersionPlan>();

  constructor(
    private readonly database: Database,
    private readonly pipelines: PipelineStore,
  ) {}

  async of(versionId: number): Promise<VersionPlan> {
    return (await this.ofAll([versionId])).get(versionId)!;
  }

  async ofAll(versionIds: readonly number[]): Promise<ReadonlyMap<number, VersionPlan>> {
    const wanted = [...new Set(versionIds)];
    const found = new Map<number, VersionPlan>();
    for (const id of wanted) {
      const known = this.byVersion.get(id);
      if (known) found.set(id, this.keep(known));
    }
    const missing = wanted.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    for (const row of await this.pipelines.definitions(this.database.any, { versionIds: missing })) {
      const parsed = parsePipeline(row.definition);
      if (!parsed.ok) throw new Error(`version ${row.version} of pipeline ${row.name} no longer parses`);
      found.set(row.id, this.keep({ versionId: row.id, name: row.name, version: row.version, plan: parsed.plan }));
    }
    return found;
  }

  /** The newest version of a pipeline when it was last noted here: whoever uses it must check that it still is. */
  newestOf(name: string): VersionPlan | undefined {
    return this.newest.get(name);
  }

  noteNewest(version: VersionPlan): void {
    touch(this.newest, version.name, version);
  }

  private keep(plan: VersionPlan): VersionPlan {
    touch(this.byVersion, plan.versionId, plan);
    return plan;
  }
}

function touch<K>(plans: Map<K, VersionPlan>, key: K, plan: VersionPlan): void {
  plans.delete(key);
  plans.set(key, plan);
  if (plans.size > kept) plans.delete(plans.keys().next().value!);
}

/** The plan an execution runs: the version's own, or an inline one below it, named by the positions of its spawners. */
export function planAt(plan: Plan, path: readonly number[]): Plan {
  let here = plan;
  for (const position of path) {
    const inline = inlinePlanOf(here.nodes[position]);
    if (!inline) throw new Error(`position ${position} of pipeline ${plan.name} has no inline node`);
    here = inline;
  }
  return here;
}

/** The node a position path ends at: the spawner of an inline child. */
export function nodeAt(plan: Plan, path: readonly number[]): PlannedNode | undefined {
  return planAt(plan, path.slice(0, -1)).nodes[path.at(-1)!];
}

function inlinePlanOf(node: PlannedNode | undefined): Plan | null {
  const config = node?.config;
  if (config?.type !== 'SPAWNER' && config?.type !== 'PIPELINE') return null;
  return config.child.kind === 'inline' ? config.child.plan : null;
}
