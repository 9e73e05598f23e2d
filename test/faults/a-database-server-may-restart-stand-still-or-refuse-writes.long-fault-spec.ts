import { databaseServerOutages } from '../support/database-server-outages.js';

databaseServerOutages('a database server', { items: 800, frozenMs: 6_000, readOnlyMs: 4_000 });
