import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { callerOf } from './authenticate'
import { wrongField } from './problem'

const shape = /^[\w.@+-]{1,64}$/

/** Who sits at the desk. Several people may share a key; X-Reviewer tells them apart. */
export const Reviewer = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<FastifyRequest>()
  const { name } = callerOf(request)
  const person = request.headers['x-reviewer']
  if (person === undefined) return name
  if (typeof person !== 'string' || !shape.test(person))
    throw wrongField('X-Reviewer', 'send letters, digits and . @ + - _, 64 at most')
  return `${name}/${person}`
})
