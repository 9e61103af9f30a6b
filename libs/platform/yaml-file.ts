import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

export const readYaml = <S extends z.ZodType>(
  file: string,
  shape: S,
  wrong: (what: string, cause?: unknown) => Error,
): z.output<S> => {
  let given: unknown
  try {
    given = parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw wrong(`cannot be read: ${cause instanceof Error ? cause.message.split('\n')[0] : ''}`, cause)
  }
  const read = shape.safeParse(given)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`)
  throw wrong(`contains errors: ${faults.join('; ')}`)
}

export const fromFile = <Content>(read: (file: string) => Content) =>
  z.string().transform((file, context): Content => {
    try {
      return read(file)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })
