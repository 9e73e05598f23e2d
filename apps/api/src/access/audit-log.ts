import type { AuditStore, Database, NewAuditEntry } from '@app/persistence';

interface Waiting {
  readonly entry: NewAuditEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const perWrite = 500;

/** Writes audit entries: those that come while a write is on its way go together in the next one. */
export class AuditLog {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
  ) {}

  /** Resolves when the entry is stored. */
  add(entry: NewAuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      if (!this.writing) void this.write();
    });
  }

  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, perWrite);
      try {
        await this.store.add(this.database.any, { entries: batch.map(({ entry }) => entry) });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.writing = false;
  }
}
