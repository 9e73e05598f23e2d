import type { NewAuditEntry } from '@app/persistence';
import type { ApiRequest } from '../request/api-request.js';

/**
 * What is kept of a call that changed something.
 * @param status of its answer
 * @param target path of what it changed
 */
export function auditEntryOf(request: ApiRequest, status: number, target: string): NewAuditEntry {
  const { caller } = request;
  const route = (request.route as { path?: string } | undefined)?.path ?? request.path;
  return {
    actor: caller.name === '' || caller.name === caller.keyId ? caller.keyId : `${caller.name} (${caller.keyId})`,
    action: `${request.method} ${route}`,
    target,
    data: JSON.stringify({ status }),
  };
}
