import { AppError } from '@plumbline/platform'

export const badValue = (fault: string): AppError =>
  new AppError('lookup.bad-value', 'never', { cause: new Error(fault) })

export const tooSlow = (cause: unknown): AppError => new AppError('lookup.too-slow', 'later', { cause })

export const tooLarge = (cause?: unknown): AppError => new AppError('lookup.too-large', 'never', { cause })

export const maxBytes = 500_000
