import { createParamDecorator, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyRequest } from 'fastify'
import type { Caller, Role } from './api-keys'
import { callerOf } from './authenticate'
import { Refusal } from './problem'

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>()

/** The caller of this request, as a handler's parameter. */
export const By = createParamDecorator((_: unknown, context: ExecutionContext): Caller => callerOf(requestOf(context)))

export const has = (caller: Caller, ...wanted: Role[]): boolean =>
  caller.roles.has('admin') || wanted.some((role) => caller.roles.has(role))

export const ROLES = 'plumbline:roles'
/** Who may call a route; an admin may call any. A route without it is open to every caller. */
export const For = (...wanted: Role[]) => SetMetadata(ROLES, wanted)

@Injectable()
export class RoleGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const wanted = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES, [context.getHandler(), context.getClass()])
    if (!wanted || has(callerOf(requestOf(context)), ...wanted)) return true
    throw new Refusal('forbidden', `This needs a key with the role ${wanted.join(' or ')}.`)
  }
}
