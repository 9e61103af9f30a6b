export type Kind = 'chat' | 'embeddings' | 'models' | 'rerank' | 'unknown'

type Json = Record<string, unknown>

export type ModelRequest = {
  kind: Kind
  method: string
  path: string
  body: unknown
  model: string
  /** The name of the structured output or the forced tool. */
  name: string | undefined
  /** The text of the request, with one part on each line: all messages, all inputs, or the query and its documents. */
  text: string
  stream: boolean
}

/** The requested form of the answer: text, any object, text with a schema, or a tool whose arguments have a schema. */
export type Form =
  | { kind: 'text' }
  | { kind: 'object' }
  | { kind: 'schema'; name: string; schema: unknown }
  | { kind: 'tool'; name: string; schema: unknown; named: boolean }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const kinds: [RegExp, Kind, string][] = [
  [/\/chat\/completions$/, 'chat', 'POST'],
  [/\/embeddings$/, 'embeddings', 'POST'],
  [/\/models$/, 'models', 'GET'],
  [/^\/v2\/rerank$/, 'rerank', 'POST'],
]

/** Returns the kind of a request. The beginning of the path is ignored, because it differs between servers. */
const kindOf = (method: string, path: string): Kind =>
  kinds.find(([pattern, , verb]) => verb === method && pattern.test(path))?.[1] ?? 'unknown'

const functionOf = (tool: unknown): Json => objectOf(objectOf(tool).function)

const forcedTool = (body: Json): Form | undefined => {
  const tools = listOf(body.tools).map(functionOf)
  const wanted = functionOf(body.tool_choice).name
  const tool =
    wanted === undefined
      ? body.tool_choice === 'required'
        ? tools[0]
        : undefined
      : tools.find(({ name }) => name === wanted)
  return tool && { kind: 'tool', name: stringOf(tool.name), schema: tool.parameters ?? {}, named: wanted !== undefined }
}

export const formOf = (asked: ModelRequest): Form => {
  const body = objectOf(asked.body)
  const format = objectOf(body.response_format)
  const described = objectOf(format.json_schema)
  const tool = forcedTool(body)
  if (tool) return tool
  if (format.type === 'json_schema')
    return { kind: 'schema', name: stringOf(described.name), schema: described.schema ?? {} }
  return format.type === 'json_object' ? { kind: 'object' } : { kind: 'text' }
}

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((part) => stringOf(objectOf(part).text))
        .join('\n')

const textOf = (body: Json): string => {
  const inputs = [body.input, body.query, body.documents].flatMap((one) => (Array.isArray(one) ? one : [one]))
  return [
    ...listOf(body.messages).map((message) => textIn(objectOf(message).content)),
    ...inputs.map((input) => (typeof input === 'string' ? input : stringOf(objectOf(input).text))),
  ]
    .filter(Boolean)
    .join('\n')
}

export const readRequest = (method: string, path: string, body: unknown): ModelRequest => {
  const fields = objectOf(body)
  const asked: ModelRequest = {
    kind: kindOf(method, path),
    method,
    path,
    body,
    model: stringOf(fields.model),
    name: undefined,
    text: textOf(fields),
    stream: fields.stream === true,
  }
  const form = formOf(asked)
  return 'name' in form ? { ...asked, name: form.name } : asked
}

export type Feature = 'json_schema' | 'tools' | 'stream'

/** How a server handles a feature that it lacks: with status 400 (`refused`), or without any effect (`ignored`). */
export type Lack = 'refused' | 'ignored'

type Body = Record<string, unknown>
type UnsupportedFeature = { uses: (body: Body) => boolean; fields: string[]; message: string }

const unsupportedFeatures: Record<Feature, UnsupportedFeature> = {
  json_schema: {
    uses: (body) => objectOf(body.response_format).type === 'json_schema',
    fields: ['response_format'],
    message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  },
  tools: {
    uses: ({ tools, tool_choice: choice }) => tools !== undefined || choice !== undefined,
    fields: ['tools', 'tool_choice'],
    message: 'Unrecognized request argument supplied: tools',
  },
  stream: {
    uses: ({ stream }) => stream === true,
    fields: ['stream', 'stream_options'],
    message: "Unsupported value: 'stream' does not support true with this model.",
  },
}

export type Lacks = Map<Feature, Lack>

const lacking = (asked: ModelRequest, lacks: Lacks, how: Lack): UnsupportedFeature[] =>
  [...lacks].flatMap(([feature, lack]) =>
    lack === how && unsupportedFeatures[feature].uses(objectOf(asked.body)) ? [unsupportedFeatures[feature]] : [],
  )

export const refusalOf = (asked: ModelRequest, lacks: Lacks): { message: string; param: string | null } | undefined => {
  const [first] = lacking(asked, lacks, 'refused')
  return first && { message: first.message, param: first.fields[0] ?? null }
}

export const understood = (asked: ModelRequest, lacks: Lacks): ModelRequest => {
  const ignored = lacking(asked, lacks, 'ignored').flatMap(({ fields }) => fields)
  if (ignored.length === 0) return asked
  const body = Object.fromEntries(Object.entries(objectOf(asked.body)).filter(([field]) => !ignored.includes(field)))
  return readRequest(asked.method, asked.path, body)
}
