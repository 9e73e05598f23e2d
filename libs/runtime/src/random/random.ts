/** Injection token of the process's {@link Random}. */
export const RANDOM = Symbol('RANDOM');

/** Randomness as an argument, so that whoever decides with it can be replayed. */
export interface Random {
  /** `length` bytes fit for keys and secrets. */
  bytes(length: number): Buffer;
  /** Evenly spread, at least 0 and below 1; for jitter, never for secrets. */
  fraction(): number;
  /** A random version-4 UUID. */
  uuid(): string;
}
