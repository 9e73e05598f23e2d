import type { EngineClient } from '../engine/engine-client.js';
import type { OwnEngine } from '../engine/own-engine.js';

/**
 * Ctrl-C, and what else asks a process to end. The first lets what runs come to its end and keeps the rest for later; the
 * second leaves at once, with what runs cut off, to be run again.
 */
export class Interruption {
  private readonly abort = new AbortController();
  private ending: OwnEngine | null = null;

  static listen(): Interruption {
    const interruption = new Interruption();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.interrupt());
    return interruption;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The run stays as it is until it is run again, whichever engine its data meets. */
  async pause(client: EngineClient, id: string): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    await client.json('POST', `/v1/executions/${id}/pause`, { signal }).catch(() => undefined);
  }

  /** Ends an engine of ours. */
  async end(engine: OwnEngine): Promise<void> {
    this.ending = engine;
    await engine.stop();
  }

  private interrupt(): void {
    if (this.abort.signal.aborted) {
      this.ending?.kill();
      process.exit(130);
    }
    this.abort.abort();
    process.stderr.write('\nfanfold: letting what runs come to its end; once more to leave at once\n');
  }
}
