import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { parsePipeline, type Plan } from '@app/domain';
import { inTransaction, PipelineStore, type Tx } from '@app/persistence';
import { InputSchemas } from '@app/starting';
import { API, type Api } from '../api.js';
import type { KeyClaim } from '../idempotency/key-claim.js';
import { conflict, notFound, refused, type ProblemDefect } from '../problem/problem.js';
import { Answer, created } from '../request/answer.js';
import { planView } from './pipeline-view.js';
import { referenceDefects } from './references.js';

const code = 'PIPELINE.INVALID';

/** Publishes definitions and takes them out of the catalogue. */
@Injectable()
export class PipelinesService {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(PipelineStore) private readonly pipelines: PipelineStore,
    @Inject(InputSchemas) private readonly schemas: InputSchemas,
  ) {}

  /**
   * Publishes a definition: 201 with the new version, or 200 with the newest one where it is the same.
   * @throws Problem 422 with every defect
   */
  async publish(definition: string, claim: KeyClaim | undefined): Promise<Answer> {
    const parsed = parsePipeline(definition);
    if (!parsed.ok) throw refused(parsed.defects, code);
    const { name, plan, canonical } = parsed;
    const definitionHash = createHash('sha256').update(canonical).digest();
    return inTransaction(this.api.database.pool, async (tx) => {
      await this.pipelines.lockPublishing(tx);
      const defects = [...this.schemaDefects(plan), ...(await referenceDefects(tx, this.pipelines, name, plan))];
      if (defects.length > 0) throw refused(defects, code);
      const answer = await this.store(tx, { name, definition, definitionHash }, plan);
      await claim?.complete(tx, answer);
      return answer;
    });
  }

  /** @throws Problem 409 while an execution of it is open, or something would start more of them */
  async remove(name: string): Promise<void> {
    await inTransaction(this.api.database.pool, async (tx) => {
      await this.pipelines.lockPublishing(tx);
      if (await this.pipelines.remove(tx, { name })) {
        // Looked at behind the row of the pipeline: whoever binds to it holds that row.
        const bound = await this.pipelines.bound(tx, { name });
        if (bound.length === 0) return;
        throw conflict('PIPELINE.IN_USE', `${name} is started by ${bound.join(', ')}`);
      }
      if ((await this.pipelines.findLatest(tx, { names: [name] })).length === 0) throw unknownPipeline(name);
      throw conflict('PIPELINE.IN_USE', `executions of ${name} are still open`);
    });
  }

  private async store(tx: Tx, args: { name: string; definition: string; definitionHash: Buffer }, plan: Plan) {
    const { name } = args;
    const [latest] = await this.pipelines.findLatest(tx, { names: [name] });
    if (latest?.definitionHash.equals(args.definitionHash))
      return new Answer(200, { name, version: latest.version, createdAt: latest.publishedAt, plan: planView(plan) });
    const { version, publishedAt } = await this.pipelines.publish(tx, args);
    return created(
      { name, version, createdAt: publishedAt, plan: planView(plan) },
      `/v1/pipelines/${name}/versions/${version}`,
    );
  }

  private schemaDefects(plan: Plan): ProblemDefect[] {
    const defect = plan.inputSchema === null ? null : this.schemas.defect(plan.inputSchema);
    return defect === null ? [] : [{ path: 'inputSchema', message: defect }];
  }
}

export function unknownPipeline(name: string) {
  return notFound(`the pipeline ${name.slice(0, 128)}`, 'PIPELINE.UNKNOWN');
}
