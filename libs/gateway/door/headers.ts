import { createParamDecorator, type ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { wrongField } from './problem'

const visible = /^[\x21-\x7e]{1,255}$/

export const idempotencyKeyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !visible.test(key))
    throw wrongField('Idempotency-Key', 'send 1 to 255 visible ASCII characters')
  return key
}

/** The place in a stream to go on after; null where it begins. */
export const lastEventIdOf = ({ headers }: FastifyRequest, shape: RegExp): string | null => {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (typeof id !== 'string' || !shape.test(id))
    throw wrongField('Last-Event-ID', 'send an id that this stream gave you, or leave it out')
  return id
}

/** The Idempotency-Key of this request, if it has one. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
)
