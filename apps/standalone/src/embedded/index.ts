export { DataFolderInUse, lockDataFolder, type DataFolderLock } from './data-folder-lock.js';
export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
