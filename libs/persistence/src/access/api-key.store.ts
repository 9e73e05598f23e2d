import type { Tx } from '../database/database.js';
import { deleteApiKey } from './delete-api-key.sql.js';
import { findApiKey } from './find-api-key.sql.js';
import { insertApiKey } from './insert-api-key.sql.js';
import { listApiKeys } from './list-api-keys.sql.js';

export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Keys of callers. Secrets are known by their sha-256 only. */
export class ApiKeyStore {
  async find(tx: Tx, args: { secretHash: Buffer }): Promise<Omit<ApiKey, 'createdAt'> | null> {
    const { rows } = await tx.query<Omit<ApiKey, 'createdAt'>>(findApiKey, [args.secretHash]);
    return rows[0] ?? null;
  }

  async add(tx: Tx, args: { id: string; name: string; role: Role; secretHash: Buffer }): Promise<ApiKey> {
    const { rows } = await tx.query<ApiKey>(insertApiKey, [args.id, args.name, args.role, args.secretHash]);
    return rows[0]!;
  }

  async page(tx: Tx, args: { after: string | null; limit: number }): Promise<ApiKey[]> {
    return (await tx.query<ApiKey>(listApiKeys, [args.after, args.limit])).rows;
  }

  async end(tx: Tx, args: { id: string }): Promise<boolean> {
    return (await tx.query(deleteApiKey, [args.id])).rowCount === 1;
  }
}
