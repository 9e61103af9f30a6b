import type { ChatMessage, ChatRequest } from '@plumbline/ports/chat-model'
import { wayFor, type Abilities, type Asked, type Way } from './abilities'

type Output = NonNullable<ChatRequest['output']>

/** The schema in words, where the server takes it in no other way. */
const inWords = (messages: ChatMessage[], { schema }: Output): ChatMessage[] => {
  const order = `Answer with one JSON object and nothing else: no explanation, no code fence. It must follow this JSON schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ role: 'system', content: `${first.content}\n\n${order}` }, ...rest]
    : [{ role: 'system', content: order }, ...messages]
}

const optionsOf = (way: Way, { name, schema }: Output) => {
  if (way === 'schema')
    return { response_format: { type: 'json_schema' as const, json_schema: { name, schema, strict: true } } }
  if (way === 'text') return {}
  return {
    tools: [{ type: 'function' as const, function: { name, description: 'Takes the answer.', parameters: schema } }],
    tool_choice: { type: 'function' as const, function: { name } },
  }
}

const bare = ({ name, schema: { $schema: _, ...schema } }: Output): Output => ({ name, schema })

/** How this server is asked, as far as it is known. */
export const askingOf = ({ messages, output: given, onDelta }: ChatRequest, abilities: Abilities) => {
  const output = given && bare(given)
  const way = output && wayFor(abilities, output.name)
  const streams = onDelta !== undefined && output === undefined && abilities.streams
  const asked: Asked = {
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
