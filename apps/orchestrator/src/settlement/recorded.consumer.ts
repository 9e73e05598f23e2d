import { RECORDED_QUEUE } from '@app/contracts/messages/queues.js';
import type { RecordedMessage } from '@app/contracts/messages/envelopes.js';
import { Consume } from '@app/messaging';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { z } from 'zod';
import { SettlementService } from './settlement.service.js';

const of = z.object({ id: z.uuid(), version: z.number().int(), nodes: z.array(z.number().int()).max(1000) });
const schema = z.object({ batch: z.number().int().positive(), plain: z.boolean(), of: of.optional() });

@Controller()
export class RecordedConsumer {
  constructor(@Inject(SettlementService) private readonly settlement: SettlementService) {}

  @Consume('task.recorded', { queue: RECORDED_QUEUE, batch: 32, schema })
  async recorded(@Payload() messages: RecordedMessage[]): Promise<void> {
    const plain = messages.filter((m) => m.plain).map((m) => m.batch);
    if (plain.length > 0) await this.settlement.settlePlain(plain);
    await this.settlement.settleMessages(messages.filter((m) => !m.plain));
  }
}
