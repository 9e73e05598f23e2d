import { INTAKE_QUEUE } from '@app/contracts/messages/queues.js';
import type { IntakeMessage } from '@app/contracts/messages/envelopes.js';
import { Consume } from '@app/messaging';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { z } from 'zod';
import { IntakeService } from './intake.service.js';

const schema = z.object({ ids: z.array(z.uuid()).min(1).max(1000) });

@Controller()
export class IntakeConsumer {
  constructor(@Inject(IntakeService) private readonly intake: IntakeService) {}

  @Consume('execution.created', { queue: INTAKE_QUEUE, batch: 100, concurrency: 2, schema })
  async created(@Payload() messages: IntakeMessage[]): Promise<void> {
    await this.intake.layOut(messages.flatMap((m) => m.ids));
  }
}
