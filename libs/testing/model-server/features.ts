import { objectOf, readAsked, type Asked } from './asked'

/** What compatible servers and older or newer models do without. */
export type Feature =
  'json_schema' | 'json_object' | 'tools' | 'stream' | 'stream_options' | 'temperature' | 'dimensions' | 'base64'

/** Answered 400, or passed over. */
export type Lack = 'refused' | 'ignored'

type Body = Record<string, unknown>
type Known = { uses: (body: Body) => boolean; fields: string[]; message: string }

const unsupported = (param: string, value: string): string =>
  `Unsupported value: '${param}' does not support ${value} with this model.`
const unrecognized = (param: string): string => `Unrecognized request argument supplied: ${param}`
const formatOf = (body: Body): unknown => objectOf(body.response_format).type

const known: Record<Feature, Known> = {
  json_schema: {
    uses: (body) => formatOf(body) === 'json_schema',
    fields: ['response_format'],
    message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  },
  json_object: {
    uses: (body) => formatOf(body) === 'json_object',
    fields: ['response_format'],
    message: "Invalid parameter: 'response_format' of type 'json_object' is not supported with this model.",
  },
  tools: {
    uses: ({ tools, tool_choice: choice }) => tools !== undefined || choice !== undefined,
    fields: ['tools', 'tool_choice'],
    message: unrecognized('tools'),
  },
  stream: {
    uses: ({ stream }) => stream === true,
    fields: ['stream', 'stream_options'],
    message: unsupported('stream', 'true'),
  },
  stream_options: {
    uses: (body) => 'stream_options' in body,
    fields: ['stream_options'],
    message: unrecognized('stream_options'),
  },
  temperature: {
    uses: ({ temperature }) => typeof temperature === 'number' && temperature !== 1,
    fields: ['temperature'],
    message: unsupported('temperature', 'other than 1'),
  },
  dimensions: {
    uses: (body) => 'dimensions' in body,
    fields: ['dimensions'],
    message: 'This model does not support specifying dimensions.',
  },
  base64: {
    uses: (body) => body.encoding_format === 'base64',
    fields: ['encoding_format'],
    message: unsupported('encoding_format', "'base64'"),
  },
}

export type Lacks = Map<Feature, Lack>

const lacking = (asked: Asked, lacks: Lacks, how: Lack): Known[] =>
  [...lacks].flatMap(([feature, lack]) =>
    lack === how && known[feature].uses(objectOf(asked.body)) ? [known[feature]] : [],
  )

/** What an answer says to a request for something this server does not have. */
export const refusalOf = (asked: Asked, lacks: Lacks): { message: string; param: string | null } | undefined => {
  const [first] = lacking(asked, lacks, 'refused')
  return first && { message: first.message, param: first.fields[0] ?? null }
}

/** The request as a server reads it that passes over what it does not know. */
export const understood = (asked: Asked, lacks: Lacks): Asked => {
  const ignored = lacking(asked, lacks, 'ignored').flatMap(({ fields }) => fields)
  if (ignored.length === 0) return asked
  const body = Object.fromEntries(Object.entries(objectOf(asked.body)).filter(([field]) => !ignored.includes(field)))
  return readAsked(asked.method, asked.path, body)
}
