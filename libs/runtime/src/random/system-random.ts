import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from './random.js';

/** The machine's randomness: the one place that asks for it. */
export class SystemRandom implements Random {
  bytes(length: number): Buffer {
    return randomBytes(length);
  }

  fraction(): number {
    return Math.random();
  }

  uuid(): string {
    return randomUUID();
  }
}
