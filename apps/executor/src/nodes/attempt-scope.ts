import type { Scope } from '@app/domain';
import type { AttemptSecrets } from './secrets.js';

/** What the templates of a task see while it is performed: what it was claimed with, and secrets. A class, as a copy a child is slow. */
export class AttemptScope implements Scope {
  constructor(
    private readonly claimed: Scope,
    private readonly secrets: AttemptSecrets,
  ) {}

  get input(): string {
    return this.claimed.input;
  }

  get item(): string | undefined {
    return this.claimed.item;
  }

  get index(): number | undefined {
    return this.claimed.index;
  }

  get frozen(): string | undefined {
    return this.claimed.frozen;
  }

  get items(): string | undefined {
    return this.claimed.items;
  }

  get node(): Scope['node'] {
    return this.claimed.node;
  }

  get executionId(): string {
    return this.claimed.executionId;
  }

  get parentId(): string | null {
    return this.claimed.parentId;
  }

  get labels(): string {
    return this.claimed.labels;
  }

  secret(name: string): string | undefined {
    return this.secrets.value(name);
  }
}
