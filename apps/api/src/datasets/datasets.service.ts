import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { topLevelId } from '@app/domain';
import { DatasetStore, inTransaction, type DatasetFormat } from '@app/persistence';
import { API, type Api } from '../api.js';
import type { KeyClaim } from '../idempotency/key-claim.js';
import { keyReused, requestHash, RequestKeys } from '../idempotency/request-keys.js';
import { conflict, notFound } from '../problem/problem.js';
import { created, type Answer } from '../request/answer.js';
import type { ApiRequest } from '../request/api-request.js';
import { decompressed } from '../request/decompression.js';
import { datasetView } from './dataset-view.js';
import { DatasetUpload } from './upload/dataset-upload.js';
import { UploadBytes } from './upload/upload-bytes.js';

export interface UploadOptions {
  readonly name: string;
  readonly format: DatasetFormat;
  readonly separator: string;
}

/** A repetition of an upload that was answered already. */
export interface RepeatedUpload {
  readonly status: number;
  readonly text: string;
}

/** Takes uploads in, and lets datasets go. */
@Injectable()
export class DatasetsService {
  private readonly underWay = new Set<string>();

  constructor(
    @Inject(API) private readonly api: Api,
    @Inject(DatasetStore) private readonly datasets: DatasetStore,
    @Inject(RequestKeys) private readonly keys: RequestKeys,
  ) {}

  /** @throws Problem 422 with row and column; then nothing is kept */
  async upload(request: ApiRequest, options: UploadOptions): Promise<Answer | RepeatedUpload> {
    const taken = await this.keys.claimUpload(request);
    if (taken === null) return this.receive(request, options, null);
    if ('known' in taken) {
      const bytes = new UploadBytes();
      for await (const chunk of bytes.of(decompressed(request))) void chunk;
      if (!taken.known.requestHash.equals(requestHash(request, bytes.sha256()))) throw keyReused();
      return { status: taken.known.status!, text: taken.known.response ?? '' };
    }
    try {
      const answer = await this.receive(request, options, taken.claim);
      this.keys.done(taken.claim);
      return answer;
    } catch (error) {
      await this.keys.release(taken.claim).catch(() => undefined);
      throw error;
    }
  }

  /** @throws Problem 409 while an execution refers to it */
  async remove(id: string): Promise<void> {
    await inTransaction(this.api.database.pool, async (tx) => {
      if (!(await this.datasets.lock(tx, { id }))) throw unknownDataset(id);
      if (!(await this.datasets.remove(tx, { id })))
        throw conflict('DATASET.IN_USE', 'executions refer to the dataset');
    });
  }

  /** Says of every upload of this process that it is under way. */
  async touch(): Promise<void> {
    if (this.underWay.size > 0) await this.datasets.touch(this.api.database.any, { ids: [...this.underWay] });
  }

  private async receive(request: ApiRequest, options: UploadOptions, claim: KeyClaim | null): Promise<Answer> {
    const { name, format, separator } = options;
    const { any, pool } = this.api.database;
    const body = decompressed(request);
    const id = topLevelId(Date.now(), randomBytes(10));
    await this.datasets.begin(any, { id, name, format, separator: format === 'csv' ? separator : null });
    this.underWay.add(id);
    try {
      const items = await new DatasetUpload({ id, format, separator, body }, this.api.database, this.datasets).run();
      return await inTransaction(pool, async (tx) => {
        const createdAt = await this.datasets.complete(tx, { id, ...items });
        if (!createdAt) throw conflict('DATASET.SWEPT', 'the upload rested too long and was given up');
        const columns = items.columns === null ? null : JSON.stringify(items.columns);
        const view = datasetView({ id, name, format, separator, createdAt, ...items, columns });
        const answer = created(view, `/v1/datasets/${id}`);
        claim?.is(requestHash(request, items.sha256));
        await claim?.complete(tx, answer);
        return answer;
      });
    } catch (error) {
      await this.datasets.discard(any, { id }).catch(() => undefined);
      throw error;
    } finally {
      this.underWay.delete(id);
    }
  }
}

export function unknownDataset(id: string) {
  return notFound(`the dataset ${id.slice(0, 64)}`, 'DATASET.UNKNOWN');
}
