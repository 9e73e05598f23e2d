/**
 * What an AbortController is, made when its signal is asked for: most calls end without anybody asking, and signals are dear to
 * make and to collect.
 */
export class LazyAbort {
  private controller: AbortController | null = null;
  private reason: Error | null = null;

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.reason) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** The first reason stays. */
  abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(reason);
  }
}
