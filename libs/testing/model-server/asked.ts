export type Kind = 'chat' | 'embeddings' | 'models' | 'rerank' | 'unknown'

type Json = Record<string, unknown>

/** What a request asks for, as scripts match it. */
export type Asked = {
  kind: Kind
  method: string
  path: string
  body: unknown
  model: string
  /** The name of the structured output or of the forced tool. */
  name: string | undefined
  /** All messages, inputs, or query and documents, one per line. */
  text: string
  stream: boolean
}

/** The schema an answer must follow, and whether it is the content or the arguments of a tool. */
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
  [/^\/v[12]\/rerank$/, 'rerank', 'POST'],
]

/** Any prefix will do, since compatible servers stand under many. */
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

export const formOf = (asked: Asked): Form => {
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

export const readAsked = (method: string, path: string, body: unknown): Asked => {
  const fields = objectOf(body)
  const asked: Asked = {
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
