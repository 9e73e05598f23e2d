import { BaseRpcContext } from '@nestjs/microservices';

/** What Nest's `@Ctx()` gives a consumer: the logical queue its batch came from. */
export class QueueContext extends BaseRpcContext<[string]> {
  get queue(): string {
    return this.getArgByIndex(0);
  }
}
