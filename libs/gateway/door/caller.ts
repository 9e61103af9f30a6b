import { applyDecorators, createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyRequest } from 'fastify'
import type { Caller, Role } from './api-keys'
import { callerOf } from './authenticate'
import { Refusal } from './problem'

declare module 'fastify' {
  interface FastifyContextConfig {
    roles?: Role[]
  }
}

/** The caller of this request, as a handler's parameter. */
export const By = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

export const has = (caller: Caller, ...wanted: Role[]): boolean =>
  caller.roles.has('admin') || wanted.some((role) => caller.roles.has(role))

export const ROLES = 'plumbline:roles'
/** Who may call a route; an admin may call any. A route without it is open to every caller. */
export const For = (...roles: Role[]) => applyDecorators(RouteConfig({ roles }), SetMetadata(ROLES, roles))

/** Asked at the door, and not by a guard of Nest's, which costs the busiest route more than all it guards. */
export const checkRole = (request: FastifyRequest): void => {
  const { roles } = request.routeOptions.config
  if (roles && !has(callerOf(request), ...roles))
    throw new Refusal('forbidden', `This needs a key with the role ${roles.join(' or ')}.`)
}
