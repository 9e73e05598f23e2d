import type { Database } from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { CursorCodec } from './request/cursor.js';

/** Injection token of {@link Api}. */
export const API = Symbol('API');

/** What every part of the api needs. */
export interface Api {
  readonly database: Database;
  readonly cursors: CursorCodec;
  readonly logger: Logger;
  readonly bodyLimitBytes: number;
  /** What a queue may always have handed out. */
  readonly smallestWindow: number;
}
