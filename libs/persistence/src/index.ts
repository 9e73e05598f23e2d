export * from './database/database.js';
export * from './database/open-database.js';
export * from './database/transaction.js';
export * from './database/transient.js';
export * from './migrations/migrate.js';
