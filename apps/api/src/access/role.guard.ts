import { SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { roles, type Role } from '@app/persistence';
import { Problem } from '../problem/problem.js';
import type { ApiRequest } from '../request/api-request.js';

const roleKey = 'fanfold:role';

/** The role a call needs where the rule (reading: viewer, changing: operator) is not enough. */
export const Needs = (role: Role) => SetMetadata(roleKey, role);

export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (!request.path.startsWith('/v1')) return true;
    const named = this.reflector.getAllAndOverride<Role | undefined>(roleKey, [
      context.getHandler(),
      context.getClass(),
    ]);
    const needed = named ?? (request.method === 'GET' || request.method === 'HEAD' ? 'viewer' : 'operator');
    if (roles.indexOf(request.caller.role) >= roles.indexOf(needed)) return true;
    const detail = `this needs the role ${needed}, and the key has ${request.caller.role}`;
    throw new Problem({ status: 403, code: 'ACCESS.FORBIDDEN', detail });
  }
}
