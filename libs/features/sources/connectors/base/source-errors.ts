import { Unfit, type UnfitReason } from '@plumbline/ports/document-parser'
import { SourceError } from '@plumbline/ports/document-source'
import { AppError } from '@plumbline/platform'

const reasons: Partial<Record<UnfitReason, SourceError['reason']>> = {
  'refused-address': 'refused-address',
  'too-large': 'too-large',
  unreachable: 'unreachable',
}

const again = 'The next sync tries again.'

export const tooSlow = (what: string, cause?: unknown): SourceError =>
  new SourceError('too-slow', 'later', `${what} did not answer in time. ${again}`, { cause })

export const unavailable = (what: string, cause?: unknown, notBefore?: number): SourceError =>
  new SourceError('unreachable', 'later', `${what} currently does not answer. ${again}`, {
    cause,
    ...(notBefore !== undefined && { notBefore }),
  })

export const asSourceError = (error: unknown): unknown => {
  if (error instanceof SourceError) return error
  if (error instanceof Unfit)
    return new SourceError(reasons[error.reason] ?? 'unreadable', 'never', error.words, { cause: error })
  if (!(error instanceof AppError) || !error.code.startsWith('fetch.')) return error
  return error.code === 'fetch.too-slow'
    ? tooSlow('The source', error)
    : unavailable('The source', error, error.notBefore)
}
