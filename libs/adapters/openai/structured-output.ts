import type { ChatMessage, ChatRequest } from '@plumbline/ports/chat-model'

const outputForms = ['schema', 'tool', 'text'] as const
export type OutputForm = (typeof outputForms)[number]

export type Abilities = {
  way: OutputForm
  /** True once the server has returned a structured answer. A failure then changes the form of only one schema. */
  proven: boolean
  wayOf: Map<string, OutputForm>
  temperature: boolean
  /** The request field that limits the number of tokens of an answer, or null if the server accepts neither field. */
  limit: 'max_tokens' | 'max_completion_tokens' | null
  streams: boolean
  streamUsage: boolean
}

const abilitiesByModel = new Map<string, Abilities>()
export const thinksFirst = /^(o\d|gpt-5)(?!.*chat)/

/** Keeps the abilities of a server and model until the process ends, so that each ability is learned only once. */
export const abilitiesOf = (url: string, model: string): Abilities => {
  const key = `${url} ${model}`
  const abilities = abilitiesByModel.get(key) ?? {
    way: 'schema',
    proven: false,
    wayOf: new Map(),
    temperature: !thinksFirst.test(model),
    limit: thinksFirst.test(model) ? 'max_completion_tokens' : 'max_tokens',
    streams: true,
    streamUsage: true,
  }
  abilitiesByModel.set(key, abilities)
  return abilities
}

export const formFor = ({ way, wayOf }: Abilities, name: string): OutputForm => wayOf.get(name) ?? way

/**
 * Switches from the output form `used` to the next form in `outputForms`, or returns false if there is no next form.
 * Switches only the schema `name` if `alone` is true or if `wayOf` already contains this schema. Otherwise switches the
 * form of all schemas.
 */
export const stepDown = (abilities: Abilities, name: string, used: OutputForm, alone = abilities.proven): boolean => {
  const next = outputForms[outputForms.indexOf(used) + 1]
  if (!next) return false
  if (alone || abilities.wayOf.has(name)) abilities.wayOf.set(name, next)
  else if (abilities.way === used) abilities.way = next
  return true
}

const badSchema = /invalid schema/i

const about: Record<OutputForm, RegExp> = {
  schema: /response_format|json_schema|structured[ _]output/i,
  tool: /tool|function/i,
  text: /$^/,
}

export type RequestForm = {
  name?: string | undefined
  way?: OutputForm | undefined
  temperature: boolean
  limit?: Abilities['limit'] | undefined
  streams: boolean
  streamUsage: boolean
}

/**
 * Reads from the error message `said` what the server does not support, and updates `abilities`. Returns true if a
 * changed request may succeed.
 */
export const learnFrom = (
  abilities: Abilities,
  said: string,
  { name, way, temperature, limit, streams, streamUsage }: RequestForm,
): boolean => {
  if (limit && said.includes(limit))
    abilities.limit = limit === 'max_tokens' && said.includes('max_completion_tokens') ? 'max_completion_tokens' : null
  else if (temperature && /temperature/i.test(said)) abilities.temperature = false
  else if (streamUsage && /stream_options|include_usage/i.test(said)) abilities.streamUsage = false
  else if (streams && /\bstream(ing)?\b/i.test(said)) abilities.streams = false
  else
    return (
      name !== undefined &&
      way !== undefined &&
      about[way].test(said) &&
      stepDown(abilities, name, way, abilities.proven || badSchema.test(said))
    )
  return true
}

type Output = NonNullable<ChatRequest['output']>

const inWords = (messages: ChatMessage[], { schema }: Output): ChatMessage[] => {
  const order = `Answer with one JSON object and nothing else: no explanation, no code fence. It must follow this JSON schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${order}` }, ...rest]
    : [{ role: 'system', content: order }, ...messages]
}

const optionsOf = (way: OutputForm, { name, schema }: Output) => {
  if (way === 'schema')
    return { response_format: { type: 'json_schema' as const, json_schema: { name, schema, strict: true } } }
  if (way === 'text') return {}
  return {
    tools: [{ type: 'function' as const, function: { name, description: 'Takes the answer.', parameters: schema } }],
    tool_choice: { type: 'function' as const, function: { name } },
  }
}

const bare = ({ name, schema: { $schema: _, ...schema } }: Output): Output => ({ name, schema })

export const requestFor = ({ messages, output: given, onDelta, onText }: ChatRequest, abilities: Abilities) => {
  const output = given && bare(given)
  const way = output && formFor(abilities, output.name)
  // Streams structured output only if the server has returned a structured answer before.
  const mayStream =
    output === undefined
      ? onDelta !== undefined || onText !== undefined
      : way === 'schema' && onText !== undefined && abilities.proven
  const streams = mayStream && abilities.streams
  const asked: RequestForm = {
    name: output?.name,
    way,
    temperature: abilities.temperature,
    limit: abilities.limit,
    streams,
    streamUsage: streams && abilities.streamUsage,
  }
  return {
    asked,
    messages: output && way === 'text' ? inWords(messages, output) : messages,
    options: output && way ? optionsOf(way, output) : {},
  }
}
