import { Initial1700000000001 } from './0001-initial.migration.js';

/** Every migration, oldest first; never by glob, so that a build cannot lose one. */
export const migrations = [Initial1700000000001];
