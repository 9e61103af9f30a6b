import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyRequest } from 'fastify'
import { KeyRole } from '@plumbline/contracts'
import { type Caller, callerOf, type Role } from './authenticate'
import { Refusal, wrongField } from './problem'

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

type SomeRoles = readonly [Role, ...Role[]]

/** An admin has every role except `operator`, which must be granted explicitly. */
export const hasRole = ({ roles }: Caller, ...wanted: SomeRoles): boolean =>
  wanted.some((role) => roles.has(role) || (role !== 'operator' && roles.has('admin')))

/** The roles that may read a tenant's questions, answers and documents. */
export const contentRoles: SomeRoles = ['asker', 'reviewer']
export const readsContent = (caller: Caller): boolean => hasRole(caller, ...contentRoles)

type Access = Caller['access']

export const accessOf = ({ access }: Caller, asked: readonly string[] | undefined): string[] | 'all' => {
  if (asked === undefined) return access === 'all' ? 'all' : [...access]
  const beyond = access === 'all' ? [] : asked.filter((tag) => !access.includes(tag))
  if (beyond.length > 0) throw wrongField('access', `this key does not have ${beyond.join(', ')}`)
  return [...asked]
}

/** Returns whether `access` includes all tags of `other`. A reader needs all tags of a run to see the run. */
export const coversAccess = (access: Access, other: Access = []): boolean =>
  access === 'all' || (other !== 'all' && other.every((tag) => access.includes(tag)))

export const ROLES = 'plumbline:roles'
/** Sets the roles that may call a route. A route without this decorator allows `contentRoles`. */
export const Roles = (...roles: SomeRoles) => SetMetadata(ROLES, roles)
/** Lets callers with any role call a route. Such a route must return no questions, answers or documents. */
export const AnyRole = () => SetMetadata(ROLES, KeyRole.options)

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    if (request.routeOptions.config.public === true) return true
    const roles = this.reflector.get<SomeRoles | undefined>(ROLES, context.getHandler()) ?? contentRoles
    if (hasRole(callerOf(request), ...roles)) return true
    throw new Refusal('forbidden', `This request needs a key with the role ${roles.join(' or ')}.`)
  }
}

const shape = /^[\w.@+-]{1,64}$/

/** Returns the name of the reviewer. A name from the header X-Reviewer is not verified. */
export const reviewerOf = (request: FastifyRequest): string => {
  const caller = callerOf(request)
  const person = request.headers['x-reviewer']
  if (person === undefined) return caller.name
  if (!hasRole(caller, 'names-reviewers'))
    throw new Refusal(
      'forbidden',
      'The header X-Reviewer needs a key with the role names-reviewers. Use such a key, or omit the header.',
    )
  if (typeof person !== 'string' || !shape.test(person))
    throw wrongField('X-Reviewer', 'send at most 64 characters: letters, digits and . @ + - _')
  return `${person} as named by ${caller.name}`
}

export const Reviewer = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  reviewerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)
