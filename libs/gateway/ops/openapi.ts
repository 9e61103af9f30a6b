import { applyDecorators, HttpCode, RequestMethod, SetMetadata } from '@nestjs/common'
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/internal'
import { z } from 'zod'
import { Problem } from '@plumbline/contracts'
import { ROLES } from '../http/caller'
import { auditedActionOf } from '../audit/audited'

/** A schema answers as JSON; a string is a content type without one; several types stand beside each other. */
type Answers = Record<number, z.ZodType | string | Record<string, z.ZodType | ''>>
export type Description = {
  summary: string
  answers: Answers
  body?: z.ZodType
  /** Bodies that are taken as they stand, by what they do. */
  examples?: Record<string, object>
  /** The fields of a form beside its file. */
  form?: z.ZodType
  formExample?: object
  query?: z.ZodType
  headers?: Record<string, string>
}

const DESCRIPTION = 'plumbline:description'
/** What /openapi.json says of a route beside the schemas its parameters name. The first of its answers is the usual one. */
export const Describe = (description: Description) =>
  applyDecorators(
    SetMetadata(DESCRIPTION, description),
    HttpCode(Math.min(...Object.keys(description.answers).map(Number))),
  )

type Controller = { name: string; prototype: object }
type Argument = { data?: string; schema?: z.ZodType }
type Json = Record<string, unknown>

const body = 3
const query = 4
const json = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const said: Json = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any' }) }
  delete said.$schema
  return said
}

const typed = (type: string, schema: z.ZodType | ''): [string, Json] => [
  type,
  { schema: schema === '' ? { type: 'string' } : json(schema, 'output') },
]
const isTypes = (answer: Answers[number]): answer is Record<string, z.ZodType | ''> =>
  typeof answer === 'object' && !('_zod' in answer)

const answerOf = (answer: Answers[number]): Json => {
  if (answer === '') return { description: 'Done' }
  if (typeof answer === 'string')
    return {
      description: 'Done',
      content: { [answer]: { schema: { type: answer.endsWith('json') ? 'object' : 'string' } } },
    }
  if (isTypes(answer))
    return {
      description: 'Done',
      content: Object.fromEntries(Object.entries(answer).map(([type, schema]) => typed(type, schema))),
    }
  return { description: 'Done', content: { 'application/json': { schema: json(answer, 'output') } } }
}
const answersOf = (answers: Answers): Json => ({
  ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
  default: {
    description: 'A problem (RFC 9457)',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
})

/** What a handler takes, as Nest keeps it: `type:index` of each parameter, with the schema that validates it. */
const argumentsOf = (controller: Controller, handler: string): { type: number; argument: Argument }[] =>
  Object.entries((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, Argument>).map(
    ([key, argument]) => ({ type: Number.parseInt(key, 10), argument }),
  )

const queryOf = (schema: z.ZodType | undefined): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = json(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: property,
  }))
}
const paramsOf = (path: string): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
const headersOf = (headers: Record<string, string> = {}): Json[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))

const formOf = ({ form, formExample: example }: Description): Json => {
  if (!form) return {}
  const schema = json(form, 'input') as { properties?: Json; required?: string[] }
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  return {
    'multipart/form-data': {
      schema: { ...schema, properties: { ...schema.properties, file }, required: [...(schema.required ?? []), 'file'] },
      example,
    },
  }
}

const examplesOf = ({ examples = {} }: Description): Json =>
  Object.fromEntries(Object.entries(examples).map(([summary, value]) => [summary, { summary, value }]))

// One handler may serve two paths; the second is told apart by what it is about.
const operationIdOf = ({ name }: Controller, handler: string, path: string): string => {
  const about = name.replace('Controller', '').toLowerCase()
  return path === '/v1/runs/:runId/decision' ? `${about}-${handler}-run` : `${about}-${handler}`
}

const operation = (controller: Controller, handler: string, path: string, description: Description): Json => {
  const taken = argumentsOf(controller, handler)
  const schemaOf = (type: number): z.ZodType | undefined =>
    taken.find((one) => one.type === type && one.argument.schema)?.argument.schema
  const sent = description.body ?? schemaOf(body)
  const target = Reflect.get(controller.prototype, handler) as object
  const roles = Reflect.getMetadata(ROLES, target) as string[] | undefined
  const audited = auditedActionOf(target)
  return {
    summary: description.summary,
    operationId: operationIdOf(controller, handler, path),
    ...(audited !== undefined && { 'x-audited': audited }),
    ...(roles && { description: `Needs the role ${roles.join(' or ')}.` }),
    parameters: [
      ...paramsOf(path),
      ...queryOf(description.query ?? schemaOf(query)),
      ...headersOf(description.headers),
    ],
    ...(sent && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: json(sent, 'input'), examples: examplesOf(description) },
          ...formOf(description),
        },
      },
    }),
    responses: answersOf(description.answers),
    ...(!roles && !path.startsWith('/v1/') && { security: [] }),
  }
}

const pathsOf = (controller: Controller): [string, string, Json][] =>
  Object.getOwnPropertyNames(controller.prototype).flatMap((handler) => {
    const target = Reflect.get(controller.prototype, handler) as object
    const description = Reflect.getMetadata(DESCRIPTION, target) as Description | undefined
    if (!description) return []
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, target) as number]?.toLowerCase() ?? 'get'
    return [Reflect.getMetadata(PATH_METADATA, target) as string | string[]]
      .flat()
      .map((own): [string, string, Json] => {
        const path = `/${base}/${own}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')
        return [path.replace(/:(\w+)/g, '{$1}'), method, operation(controller, handler, path, description)]
      })
  })

/** The API as OpenAPI 3.1, from the routes and the zod schemas they validate with: it cannot say anything else than they do. */
export const openApi = (controllers: Controller[]): Json => {
  const paths: Record<string, Json> = {}
  for (const [path, method, said] of controllers.flatMap(pathsOf)) paths[path] = { ...paths[path], [method]: said }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description: 'Answers from your own documents, checked against their evidence, held back when they do not stand.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: { Problem: json(Problem, 'output') },
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Not needed in local mode' } },
    },
  }
}
