import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { faultsIn } from './openapi-document'

type Schema = { contentSchema?: object }
type Content = Record<string, { schema?: Schema }>
type Operation = { responses: Record<string, { content?: Content }> }
type Document = { paths: Record<string, Record<string, Operation>>; components: object }
export type Answer = { method: string; path: string; status: number; type: string; body?: string }

const file = join(import.meta.dirname, '../../docs/openapi.json')
const id = 'openapi.json'

/** Makes references absolute, so that the schema can be compiled outside its document. */
const fromOutside = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${id}#/`)) as object

const isLiteral = (path: string): number => (path.includes('{') ? 1 : 0)

const dataOf = (frame: string): string[] => {
  const data = frame.split('\n').flatMap((line) => /^data: ?(.*)/.exec(line)?.slice(1) ?? [])
  return data.length > 0 ? [data.join('\n')] : []
}

const jsonIn = (type: string, body: string): string[] => {
  if (type === 'text/event-stream') return body.split('\n\n').flatMap(dataOf)
  return type === 'application/jsonl' ? body.split('\n').filter((line) => line !== '') : [body]
}

const undescribed = new Set(['head', 'options'])

export const describedAnswers = () => {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (to: Ajv2020) => void)(ajv)
  ajv.addSchema({ components: document.components }, id)
  const paths = Object.keys(document.paths)
    .sort((one, other) => isLiteral(one) - isLiteral(other))
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }))
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (name: string, schema: object): ValidateFunction => {
    const known = compiled.get(name) ?? ajv.compile(fromOutside(schema))
    compiled.set(name, known)
    return known
  }
  const faultOfBody = (name: string, schema: object | undefined, body: string): string | undefined => {
    if (!schema) return undefined
    const isValid = validatorOf(name, schema)
    return isValid(JSON.parse(body)) ? undefined : `${name}: ${faultsIn(isValid.errors ?? []).join('; ')}`
  }
  return {
    /** Returns how a response differs from the API description. Of a stream, `body` may be only the beginning. */
    faultOf: ({ method, path, status, type, body }: Answer): string | undefined => {
      const known = paths.find(({ pattern }) => pattern.test(path))
      const verb = method.toLowerCase()
      const operation = known && document.paths[known.path]?.[verb]
      if (!known || !operation) {
        const isFound = path.startsWith('/v1/') && status < 400 && !undescribed.has(verb)
        return isFound ? `${verb} ${path} ${status}: the description has no such operation` : undefined
      }
      const name = `${verb} ${known.path} ${status}`
      const answer = operation.responses[status]
      if (!answer) return `${name}: the description has no such status`
      const [base = ''] = type.split(';')
      const { content = {} } = answer
      if (Object.keys(content).length === 0) return body ? `${name}: the description has no body` : undefined
      if (!(base in content)) return `${name}: the description has no ${base || 'answer without a body'}`
      if (!body) return undefined
      const { schema } = content[base] ?? {}
      const itsSchema = /[/+]json$/.test(base) ? schema : schema?.contentSchema
      const texts = itsSchema ? jsonIn(base, body) : []
      return texts.map((text) => faultOfBody(`${name} ${base}`, itsSchema, text)).find((fault) => fault !== undefined)
    },
  }
}
export type DescribedAnswers = ReturnType<typeof describedAnswers>
