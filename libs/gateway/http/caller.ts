import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyRequest } from 'fastify'
import { type Caller, callerOf, type Role } from './authenticate'
import { Refusal, wrongField } from './problem'

/** The caller of this request, as a handler's parameter. */
export const By = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

/** An admin may do all that is done within a tenant; what all tenants share is the operator's. */
export const has = (caller: Caller, ...wanted: Role[]): boolean =>
  wanted.some((role) => caller.roles.has(role)) || (caller.roles.has('admin') && !wanted.includes('operator'))

type Access = Caller['access']

/** What an ask reads with: the caller's own tags, or those of them that it names. */
export const accessOf = ({ access }: Caller, asked: readonly string[] | undefined): string[] | 'all' => {
  if (asked === undefined) return access === 'all' ? 'all' : [...access]
  const beyond = access === 'all' ? [] : asked.filter((tag) => !access.includes(tag))
  if (beyond.length > 0) throw wrongField('access', `this key does not have ${beyond.join(', ')}`)
  return [...asked]
}

/** Whether who reads with these tags could have found all that was found with those: a run shows what it read. */
export const covers = (access: Access, other: Access = []): boolean =>
  access === 'all' || (other !== 'all' && other.every((tag) => access.includes(tag)))

export const ROLES = 'plumbline:roles'
/** Who may call a route: any of these roles. A route without it is open to every caller. */
export const Roles = (...roles: Role[]) => SetMetadata(ROLES, roles)

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<Role[] | undefined>(ROLES, context.getHandler())
    if (!roles || has(callerOf(context.switchToHttp().getRequest<FastifyRequest>()), ...roles)) return true
    throw new Refusal('forbidden', `This needs a key with the role ${roles.join(' or ')}.`)
  }
}

const shape = /^[\w.@+-]{1,64}$/

/** Who decides: a key, and whom its caller names in X-Reviewer, which nobody verified. */
export const reviewerOf = (request: FastifyRequest): string => {
  const caller = callerOf(request)
  const person = request.headers['x-reviewer']
  if (person === undefined) return caller.name
  if (!has(caller, 'names-reviewers'))
    throw new Refusal('forbidden', 'X-Reviewer needs a key with the role names-reviewers. Leave it out.')
  if (typeof person !== 'string' || !shape.test(person))
    throw wrongField('X-Reviewer', 'send letters, digits and . @ + - _, 64 at most')
  return `${person} as named by ${caller.name}`
}

/** The same, as a handler's parameter. */
export const Reviewer = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  reviewerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)
