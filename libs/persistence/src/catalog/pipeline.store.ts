import type { Tx } from '../database/database.js';
import { boundToPipeline } from './bound-to-pipeline.sql.js';
import { deletePipeline } from './delete-pipeline.sql.js';
import { enablePipeline } from './enable-pipeline.sql.js';
import { findPipelineVersion } from './find-pipeline-version.sql.js';
import { findPipelines } from './find-pipelines.sql.js';
import { insertPipelineVersion } from './insert-pipeline-version.sql.js';
import { listPipelineVersions } from './list-pipeline-versions.sql.js';
import { listPipelines } from './list-pipelines.sql.js';
import { loadDefinitions } from './load-definitions.sql.js';
import { lockPipeline } from './lock-pipeline.sql.js';
import { lockPublishing } from './lock-publishing.sql.js';
import { publishPipeline } from './publish-pipeline.sql.js';

export interface PublishedPipeline {
  readonly name: string;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly versionId: number;
  readonly version: number;
  readonly publishedAt: Date;
}
export interface PipelineWithDefinition extends PublishedPipeline {
  readonly definition: string;
  readonly definitionHash: Buffer;
}
export interface PipelineVersionRow {
  readonly versionId: number;
  readonly name: string;
  readonly version: number;
  readonly definition: string;
  readonly publishedAt: Date;
  readonly enabled: boolean;
  readonly deleted: boolean;
}
export interface DefinitionRow {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly definition: string;
}

/** The catalogue of pipelines and their immutable versions. */
export class PipelineStore {
  /** Waits until no other publishing is under way; to the end of the transaction. */
  async lockPublishing(tx: Tx): Promise<void> {
    await tx.query(lockPublishing);
  }

  async findLatest(tx: Tx, args: { names: readonly string[] }): Promise<PipelineWithDefinition[]> {
    return rows(await tx.query(findPipelines, [args.names]));
  }

  async page(tx: Tx, args: { after: string | null; limit: number }): Promise<PublishedPipeline[]> {
    return rows(await tx.query(listPipelines, [args.after, args.limit]));
  }

  async findVersion(tx: Tx, args: { name: string; version: number }): Promise<PipelineVersionRow | null> {
    return rows<PipelineVersionRow>(await tx.query(findPipelineVersion, [args.name, args.version]))[0] ?? null;
  }

  async versions(
    tx: Tx,
    args: { name: string; before: number | null; limit: number },
  ): Promise<{ name: string; version: number; publishedAt: Date }[]> {
    return rows(await tx.query(listPipelineVersions, [args.name, args.before, args.limit]));
  }

  async definitions(tx: Tx, args: { versionIds: readonly number[] }): Promise<DefinitionRow[]> {
    return rows(await tx.query(loadDefinitions, [args.versionIds]));
  }

  /** Makes the definition the newest version of its name. */
  async publish(
    tx: Tx,
    args: { name: string; definition: string; definitionHash: Buffer },
  ): Promise<{ versionId: number; version: number; publishedAt: Date }> {
    const [{ version }] = rows<{ version: number }>(await tx.query(publishPipeline, [args.name])) as [
      { version: number },
    ];
    const values = [args.name, version, args.definition, args.definitionHash];
    const [inserted] = rows<{ versionId: number; publishedAt: Date }>(await tx.query(insertPipelineVersion, values));
    return { version, ...inserted! };
  }

  async enable(tx: Tx, args: { name: string; enabled: boolean }): Promise<boolean> {
    return (await tx.query(enablePipeline, [args.name, args.enabled])).rowCount === 1;
  }

  /** False when it does not exist or an execution of it is open. */
  async remove(tx: Tx, args: { name: string }): Promise<boolean> {
    return (await tx.query(deletePipeline, [args.name])).rowCount === 1;
  }

  /** What would go on starting executions of it, in words. */
  async bound(tx: Tx, args: { name: string }): Promise<string[]> {
    return rows<{ what: string }>(await tx.query(boundToPipeline, [args.name])).map((r) => r.what);
  }

  async hold(tx: Tx, args: { name: string }): Promise<{ enabled: boolean; latestVersion: number } | null> {
    return rows<{ enabled: boolean; latestVersion: number }>(await tx.query(lockPipeline, [args.name]))[0] ?? null;
  }
}

function rows<Row>(result: { rows: unknown[] }): Row[] {
  return result.rows as Row[];
}
