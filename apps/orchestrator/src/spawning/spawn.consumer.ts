import { SPAWN_QUEUE } from '@app/contracts/messages/queues.js';
import type { SpawnMessage } from '@app/contracts/messages/envelopes.js';
import { Consume } from '@app/messaging';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { z } from 'zod';
import { SpawningService } from './spawning.service.js';

const schema = z.object({ fanOut: z.number().int().positive() });

/** A fan-out whose spawner may go on; however often it is told, each child is born once. */
@Controller()
export class SpawnConsumer {
  constructor(@Inject(SpawningService) private readonly spawning: SpawningService) {}

  @Consume('fanout.planned', { queue: SPAWN_QUEUE, batch: 20, schema })
  async planned(@Payload() messages: SpawnMessage[]): Promise<void> {
    await Promise.all([...new Set(messages.map((m) => m.fanOut))].map((fanOut) => this.spawning.spawn(fanOut)));
  }
}
