import type { Role } from '@app/persistence';

/** Who sent a request: the key it carried. */
export interface Caller {
  /** Id of the key; `bootstrap` for the one of the configuration. */
  readonly keyId: string;
  readonly name: string;
  readonly role: Role;
}
