import type { ErrorObject } from 'ajv/dist/2020.js'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads an API description from the folder in `EVAL_DATA`. If the file is missing, nothing is validated. */
export const openapiDocument = (name: string): Record<string, unknown> | undefined => {
  const root = process.env['EVAL_DATA']
  const file = root && join(root, 'openapi', name)
  return file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : undefined
}

const mostFaults = 6
const unions = new Set(['oneOf', 'anyOf', 'if'])

const sentenceOf = ({ instancePath, message, params }: ErrorObject): string => {
  const more: unknown = params.allowedValues?.join(', ') ?? params.additionalProperty
  return `${instancePath || '/'}: ${message}${more === undefined ? '' : ` (${more})`}`
}

/** Turns validation errors into text. Omits those of a union, because those of its alternatives are more precise. */
export const faultsIn = (errors: ErrorObject[]): string[] => {
  const details = errors.filter(
    ({ keyword, params }) => !unions.has(keyword) && !(keyword === 'type' && params.type === 'null'),
  )
  return [...new Set((details.length > 0 ? details : errors).map(sentenceOf))].slice(0, mostFaults)
}
