import { pathToFileURL } from 'node:url';
import { isAbsolute, resolve } from 'node:path';
import type { HandlerContext, HandlerFunction } from '@app/sdk';

export type { HandlerContext, HandlerFunction };

async function imported(specifier: string, url: string): Promise<Record<string, unknown>> {
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`module ${specifier} cannot be loaded: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Handlers by name, from the modules of FANFOLD_HANDLERS. A module gives them as named exports, as the properties of its
 * default export or of an exported `handlers`, or by an exported `register(registry)` that calls `registry.handler(name, fn)`.
 */
export class HandlerRegistry {
  private readonly handlers = new Map<string, HandlerFunction>();

  get names(): string[] {
    return [...this.handlers.keys()].sort();
  }

  get(name: string): HandlerFunction | undefined {
    return this.handlers.get(name);
  }

  /** @throws Error when the name is taken */
  handler(name: string, handle: HandlerFunction): this {
    if (this.handlers.has(name)) throw new Error(`handler ${name} is registered twice`);
    this.handlers.set(name, handle);
    return this;
  }

  async load(modules: readonly string[]): Promise<this> {
    for (const specifier of modules) {
      const url = /^[./]/.test(specifier) || isAbsolute(specifier) ? pathToFileURL(resolve(specifier)).href : specifier;
      const module = await imported(specifier, url);
      const before = this.handlers.size;
      if (typeof module.register === 'function') await (module.register as (r: this) => unknown)(this);
      for (const group of [module.handlers, module.default]) this.addAll(group);
      for (const [name, value] of Object.entries(module))
        if (typeof value === 'function' && !['register', 'default'].includes(name))
          this.addOnce(name, value as HandlerFunction);
      if (this.handlers.size === before) throw new Error(`module ${specifier} registers no handlers`);
    }
    return this;
  }

  private addAll(group: unknown): void {
    if (typeof group !== 'object' || group === null) return;
    for (const [name, value] of Object.entries(group))
      if (typeof value === 'function') this.addOnce(name, value as HandlerFunction);
  }

  private addOnce(name: string, handle: HandlerFunction): void {
    if (this.handlers.get(name) !== handle) this.handler(name, handle);
  }
}
