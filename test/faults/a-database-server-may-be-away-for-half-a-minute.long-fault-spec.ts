import { databaseServerOutages } from '../support/database-server-outages.js';

databaseServerOutages('a database server for long', { items: 3_000, frozenMs: 30_000, readOnlyMs: 20_000 });
