import { applyDecorators, HttpCode, RequestMethod, SetMetadata } from '@nestjs/common'
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/internal'
import { ChatError, KeyRole, Problem, WebhookMessage } from '@plumbline/contracts'
import { z } from 'zod'
import { configOf } from '../http/authenticate'
import { contentRoles, ROLES } from '../http/caller'
import { auditedActionOf } from '../audit/audited'
import type { ProblemKind } from '../http/problem'
import { isRead } from '../http/concurrency-limits'
import {
  headerComponents,
  headerParameter,
  headerParameters,
  headersOf,
  problemAnswers,
  problemExamples,
  tagOf,
  tags,
} from './openapi-parts'
import { type Json, schemaBook, type SchemaBook } from './openapi-schemas'

type Answers = Record<number, z.ZodType | string | Record<string, z.ZodType | ''>>
export type Description = {
  summary: string
  answers: Answers
  body?: z.ZodType
  examples?: Record<string, object>
  lines?: { schema: z.ZodType; example: object[] }
  form?: z.ZodObject
  formExample?: object
  query?: z.ZodType
  headers?: Record<string, string>
  refusals?: ProblemKind[]
}

export const askRefusals: ProblemKind[] = [
  'unknown-policy',
  'unknown-collection',
  'thread-busy',
  'idempotency-key-reused',
  'budget-spent',
  'too-many-asks',
  'too-many-runs',
  'queue-too-long',
]

const DESCRIPTION = 'plumbline:description'
export const Describe = (description: Description) =>
  applyDecorators(
    SetMetadata(DESCRIPTION, description),
    HttpCode(Math.min(...Object.keys(description.answers).map(Number))),
  )

type Controller = { name: string; prototype: object }
type Argument = { data?: string; schema?: z.ZodType }

const body = 3
const query = 4

const jsonLines = (schema: Json): Json => ({
  type: 'string',
  description: 'Each line is a JSON value that matches contentSchema.',
  contentMediaType: 'application/json',
  contentSchema: schema,
})

const events = (schema: Json): Json => ({
  type: 'string',
  description:
    'Server-sent events. The data of each event is a JSON value that matches contentSchema. Send the id of the last received event to continue after it.',
  contentMediaType: 'application/json',
  contentSchema: schema,
})

const asText: Record<string, (schema: Json) => Json> = { 'text/event-stream': events, 'application/jsonl': jsonLines }

const isTypes = (answer: Answers[number]): answer is Record<string, z.ZodType | ''> =>
  typeof answer === 'object' && !('_zod' in answer)

const contentOf = (book: SchemaBook, answer: Answers[number]): Json | undefined => {
  if (answer === '') return undefined
  if (typeof answer === 'string')
    return { [answer]: { schema: { type: answer.endsWith('json') ? 'object' : 'string' } } }
  const all = isTypes(answer) ? answer : { 'application/json': answer }
  return Object.fromEntries(
    Object.entries(all).map(([type, schema]) => {
      const said = schema === '' ? { type: 'string' } : book.schemaOf(schema, 'output')
      return [type, { schema: schema !== '' ? (asText[type]?.(said) ?? said) : said }]
    }),
  )
}

const emptyResponses: Record<number, string> = {
  202: 'The request is accepted and in progress',
  204: 'The request succeeded; the response has no body',
}

const answersOf = (book: SchemaBook, path: string, answers: Answers): Json =>
  Object.fromEntries(
    Object.entries(answers).map(([key, answer]) => {
      const status = Number(key)
      const [content, headers] = [contentOf(book, answer), headersOf(status, path)]
      return [
        key,
        { description: emptyResponses[status] ?? 'Done', ...(headers && { headers }), ...(content && { content }) },
      ]
    }),
  )

/** Each key of Nest's metadata has the form `type:index`. */
const argumentsOf = (controller: Controller, handler: string): { type: number; argument: Argument }[] =>
  Object.entries((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, Argument>).map(
    ([key, argument]) => ({ type: Number.parseInt(key, 10), argument }),
  )

const queryOf = (book: SchemaBook, schema: z.ZodType | undefined): Json[] => {
  if (!schema) return []
  const { properties = {}, required = [] } = book.schemaOf(schema, 'input') as {
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

/** OpenAPI ignores a parameter named `Accept`, so route descriptions mention that header. */
const isParameter = ([header]: [string, string]): boolean => header !== 'Accept'

/** Adds the field `file`, because `form` describes only the other fields. */
const formOf = (book: SchemaBook, { form, formExample: example }: Description): Json => {
  if (!form) return {}
  const { properties, required = [] } = book.schemaOf(z.strictObject(form.shape), 'input') as {
    properties?: Json
    required?: string[]
  }
  const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
  return {
    'multipart/form-data': {
      schema: { type: 'object', properties: { ...properties, file }, required: [...required, 'file'] },
      example: { ...example, file: 'The bytes of the file' },
    },
  }
}

const linesOf = (book: SchemaBook, { lines }: Description): Json =>
  lines
    ? {
        'application/jsonl': {
          schema: jsonLines(book.schemaOf(lines.schema, 'input')),
          example: lines.example.map((line) => `${JSON.stringify(line)}\n`).join(''),
        },
      }
    : {}

const examplesOf = ({ examples = {} }: Description): Json =>
  Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [summary.replaceAll(' ', '-'), { summary, value }]),
  )

// A handler with two paths gets a second id, because ids must be unique.
const operationIdOf = ({ name }: Controller, handler: string, path: string): string => {
  const about = name.replace('Controller', '').toLowerCase()
  return path === '/v1/runs/:runId/decision' ? `${about}-${handler}-run` : `${about}-${handler}`
}

const refusalsOf = (
  path: string,
  { refusals = [] }: Description,
  { method, takesAny, isOpen }: { method: string; takesAny: boolean; isOpen: boolean },
) => {
  const named = path.includes(':')
  return [
    ...(takesAny || named ? ['invalid-request' as const] : []),
    // Every method except GET can have an invalid body, even on a route that ignores the body.
    ...(method === 'GET' ? [] : (['malformed-body', 'body-too-large', 'unsupported-media-type'] as const)),
    ...(isOpen ? [] : (['unauthorized', 'forbidden'] as const)),
    ...(named ? ['not-found' as const] : []),
    ...refusals,
    ...(isOpen ? [] : (['tenant-limit', 'too-many-requests'] as const)),
    ...(isRead(method, path) ? ['too-many-reads' as const] : []),
    'headers-too-large' as const,
    'internal-error' as const,
    'unavailable' as const,
  ]
}

const operation = (
  book: SchemaBook,
  controller: Controller,
  handler: string,
  path: string,
  description: Description,
): Json => {
  const taken = argumentsOf(controller, handler)
  const schemaOf = (type: number): z.ZodType | undefined =>
    taken.find((one) => one.type === type && one.argument.schema)?.argument.schema
  const sent = description.body ?? schemaOf(body)
  const asked = description.query ?? schemaOf(query)
  const headers = Object.entries(description.headers ?? {})
  const target = Reflect.get(controller.prototype, handler) as object
  const needed = (Reflect.getMetadata(ROLES, target) as readonly string[] | undefined) ?? contentRoles
  const isOpenToAll = configOf(target).public === true || KeyRole.options.every((role) => needed.includes(role))
  const roles = isOpenToAll ? undefined : needed
  const audited = auditedActionOf(target)
  const about = [
    ...(roles ? [`Needs the role ${roles.join(' or ')}.`] : []),
    ...headers.filter((one) => !isParameter(one)).map(([header, text]) => `${header}: ${text}.`),
  ]
  const sends = sent !== undefined || description.lines !== undefined
  const takesAny = sends || asked !== undefined || headers.length > 0
  const isOpen = !path.startsWith('/v1/') && !roles
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, target) as number] ?? 'GET'
  const refusals = refusalsOf(path, description, { method, takesAny, isOpen })
  const isForOpenai = configOf(target).errorBody !== undefined
  return {
    tags: [tagOf(path)],
    summary: description.summary,
    operationId: operationIdOf(controller, handler, path),
    ...(audited !== undefined && { 'x-audited': audited }),
    ...(about.length > 0 && { description: about.join(' ') }),
    parameters: [
      ...paramsOf(path),
      ...queryOf(book, asked),
      ...headers.filter(isParameter).map(([header, text]) => headerParameter(header, text)),
    ],
    ...(sends && {
      requestBody: {
        required: true,
        content: {
          ...(sent && {
            'application/json': { schema: book.schemaOf(sent, 'input'), examples: examplesOf(description) },
          }),
          ...formOf(book, description),
          ...linesOf(book, description),
        },
      },
    }),
    responses: {
      ...answersOf(book, path, description.answers),
      ...problemAnswers(refusals, isForOpenai ? book.schemaOf(ChatError, 'output') : undefined),
    },
    ...(isOpen && { security: [] }),
  }
}

const pathsOf = (book: SchemaBook, controller: Controller): [string, string, Json][] =>
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
        return [path.replace(/:(\w+)/g, '{$1}'), method, operation(book, controller, handler, path, description)]
      })
  })

const toldWebhooks = (book: SchemaBook): Json => ({
  event: {
    post: {
      tags: ['webhooks'],
      summary: 'Receive an event at this webhook. The message is signed as standardwebhooks.com specifies',
      operationId: 'webhook-event',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: book.schemaOf(WebhookMessage, 'output') } },
      },
      responses: {
        '2XX': { description: 'The event was received' },
        '4XX': { description: 'The event was not received and is sent again' },
      },
    },
  },
})

const tagsOf = (paths: Json): Json[] =>
  [...new Set(Object.keys(paths).map(tagOf))]
    .sort()
    .map((name) => ({ name, description: tags[name] ?? `Operations below /v1/${name}.` }))

const about =
  'Plumbline answers questions from your own documents. It checks each answer against its evidence and holds ungrounded answers for review.'
const everywhere =
  'Errors are RFC 9457 problems whose `type` is stable. For an unsupported method, the response is 405 with the header `Allow`. To get the next page of a list, send the value of `next` as `cursor`.'

export const openApi = (controllers: Controller[]): Json => {
  const book = schemaBook()
  const all: Record<string, Json> = {}
  for (const [path, method, said] of controllers.flatMap((one) => pathsOf(book, one)))
    all[path] = { ...all[path], [method]: said }
  book.schemaOf(Problem, 'output')
  const webhooks = toldWebhooks(book)
  const { paths, schemas } = book.finish(Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version: '1',
      description: `${about}\n\n${everywhere}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3000', description: 'The gateway that npm start runs on this machine' }],
    security: [{ key: [] }],
    tags: tagsOf(paths),
    paths,
    webhooks,
    components: {
      schemas,
      parameters: headerParameters(),
      headers: headerComponents(),
      examples: problemExamples(paths),
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Not needed in local mode' } },
    },
  }
}
