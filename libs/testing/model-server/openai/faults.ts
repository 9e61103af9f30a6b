import { listOf, objectOf, stringOf, type Asked } from '../asked'
import type { OpenaiDocument } from './document'
import { strictFaults } from './strict'

const schemas = { chat: 'CreateChatCompletionRequest', embeddings: 'CreateEmbeddingRequest' } as const
const nameOk = /^[\w-]{1,64}$/

const named = (what: string, name: unknown): string[] =>
  nameOk.test(stringOf(name)) ? [] : [`${what}: the name does not match ^[a-zA-Z0-9_-]{1,64}$`]

const formatFaults = (body: Record<string, unknown>, text: string): string[] => {
  const format = objectOf(body.response_format)
  const described = objectOf(format.json_schema)
  if (format.type === 'json_object' && !/json/i.test(text))
    return ["/messages: must contain the word 'json' in some form, to use 'response_format' of type 'json_object'"]
  if (format.type !== 'json_schema') return []
  const wrong = described.strict === true ? strictFaults(described.schema) : []
  return [
    ...named('/response_format', described.name),
    ...wrong.map(
      (fault) => `/response_format: Invalid schema for response_format '${stringOf(described.name)}': ${fault}`,
    ),
  ]
}

const toolFaults = (body: Record<string, unknown>): string[] => {
  const tools = listOf(body.tools).map((tool) => objectOf(objectOf(tool).function))
  const wanted = objectOf(objectOf(body.tool_choice).function).name
  return [
    ...(body.tool_choice !== undefined && tools.length === 0
      ? ["/tool_choice: is only allowed when 'tools' are specified"]
      : []),
    ...(wanted !== undefined && !tools.some(({ name }) => name === wanted)
      ? [`/tool_choice: no tool is named '${stringOf(wanted)}'`]
      : []),
    ...tools.flatMap(({ name }) => named('/tools', name)),
    ...tools.flatMap(({ name, strict, parameters }) =>
      strict === true
        ? strictFaults(parameters).map((fault) => `/tools: Invalid schema for function '${stringOf(name)}': ${fault}`)
        : [],
    ),
  ]
}

/** What the service refuses beyond what its document says. */
const chatFaults = (asked: Asked): string[] => {
  const body = objectOf(asked.body)
  const idle = body.stream_options !== undefined && body.stream_options !== null && body.stream !== true
  return [
    ...formatFaults(body, asked.text),
    ...toolFaults(body),
    ...(idle ? ["/stream_options: is only allowed when 'stream' is enabled"] : []),
  ]
}

const embeddingFaults = (asked: Asked): string[] => {
  const { input } = objectOf(asked.body)
  return input === '' || listOf(input).includes('') ? ['/input: cannot be an empty string'] : []
}

export const openaiFaults = (asked: Asked, document: OpenaiDocument): string[] => {
  if (asked.kind !== 'chat' && asked.kind !== 'embeddings') return []
  const known = document.fieldsOf(schemas[asked.kind])
  const unknown = Object.keys(objectOf(asked.body)).filter((field) => !known.has(field))
  return [
    ...document.faultsOf(schemas[asked.kind], asked.body),
    ...(asked.kind === 'chat' ? unknown.map((field) => `/: Unrecognized request argument supplied: ${field}`) : []),
    ...(asked.kind === 'chat' ? chatFaults(asked) : embeddingFaults(asked)),
  ]
}
