import { Inject, Injectable } from '@nestjs/common';
import { PipelineStore, type Tx } from '@app/persistence';
import { Starter, StartRefused } from '@app/starting';
import { API, type Api } from '../api.js';
import { refused } from '../problem/problem.js';
import { Plans } from './plans.js';

/** What is to be started again and again. */
export interface StartTarget {
  readonly pipeline: string;
  /** Null: the newest. */
  readonly version: number | null;
  /** Exact JSON text, where it is known beforehand. */
  readonly input?: string;
}

/** Looks whether that which a schedule or a trigger names can be started. */
@Injectable()
export class StartTargets {
  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(PipelineStore) private readonly pipelines: PipelineStore,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Starter) private readonly starter: Starter,
  ) {}

  /**
   * The pipeline is there and takes the input, as of now. Read before a transaction, which must not wait for a second connection.
   * @throws Problem 422
   */
  async check({ pipeline, version, input }: StartTarget): Promise<void> {
    const { any } = this.api.database;
    const [latest] = await this.pipelines.findLatest(any, { names: [pipeline] });
    if (!latest) throw missing(pipeline);
    const row = version === null ? latest : await this.pipelines.findVersion(any, { name: pipeline, version });
    if (!row) throw refused([{ path: 'version', message: `the pipeline ${pipeline} has no version ${version}` }]);
    if (input === undefined) return;
    try {
      this.starter.checkInput((await this.plans.of(row.versionId)).plan, input);
    } catch (error) {
      throw error instanceof StartRefused ? refused(error.defects, error.code) : error;
    }
  }

  /**
   * Holds the pipeline to the end of the transaction, so that it is not deleted meanwhile.
   * @throws Problem 422 where it is gone
   */
  async hold(tx: Tx, { pipeline }: StartTarget): Promise<void> {
    if (!(await this.pipelines.hold(tx, { name: pipeline }))) throw missing(pipeline);
  }
}

function missing(pipeline: string) {
  return refused([{ path: 'pipeline', message: `the pipeline ${pipeline} does not exist` }]);
}
