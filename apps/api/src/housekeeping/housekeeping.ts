import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DatasetStore, IdempotencyKeyStore, isCurrent } from '@app/persistence';
import { Loop } from '@app/runtime';
import { API, type Api } from '../api.js';
import { DatasetsService } from '../datasets/datasets.service.js';
import { RequestKeys } from '../idempotency/request-keys.js';

const beatMillis = 5_000;
const tidyMillis = 60_000;
const abandonedAfter = '10 minutes';
const perTurn = 1_000;

/** What an api does besides answering: says that its uploads and request keys are in work, and tidies up after dead ones. */
@Injectable()
export class Housekeeping implements OnModuleInit, OnModuleDestroy {
  readonly loops: readonly Loop[];

  constructor(
    @Inject(API) api: Api,
    @Inject(RequestKeys) requestKeys: RequestKeys,
    @Inject(DatasetsService) uploads: DatasetsService,
    @Inject(IdempotencyKeyStore) keys: IdempotencyKeyStore,
    @Inject(DatasetStore) datasets: DatasetStore,
  ) {
    const { database, logger } = api;
    const beat = async (): Promise<void> => {
      await requestKeys.renew();
      await uploads.touch();
    };
    let current = false;
    const tidy = async (): Promise<number> => {
      current ||= await isCurrent(database.pool);
      if (!current) return 0;
      const expired = await keys.expire(database.any, { limit: perTurn });
      const swept = await datasets.sweepAbandoned(database.any, { untouchedFor: abandonedAfter, limit: 1 });
      return expired === perTurn || swept > 0 ? 1 : 0;
    };
    this.loops = [
      new Loop({ name: 'api-beat', intervalMs: beatMillis, runOnce: beat, logger }),
      new Loop({ name: 'api-tidy', intervalMs: tidyMillis, runOnce: tidy, logger }),
    ];
  }

  onModuleInit(): void {
    for (const loop of this.loops) loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
