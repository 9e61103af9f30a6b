import { objectOf, readAsked, type Asked } from './asked'

export type Feature = 'json_schema' | 'tools' | 'stream'

/** Answered 400 as older servers do, or passed over as some others do. */
export type Lack = 'refused' | 'ignored'

const uses: Record<Feature, (body: Record<string, unknown>) => boolean> = {
  json_schema: (body) => objectOf(body.response_format).type === 'json_schema',
  tools: (body) => body.tools !== undefined || body.tool_choice !== undefined,
  stream: (body) => body.stream === true,
}

const fields: Record<Feature, string[]> = { json_schema: ['response_format'], tools: ['tools', 'tool_choice'], stream: ['stream', 'stream_options'] }

const refusals: Record<Feature, { message: string; param: string }> = {
  json_schema: { message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", param: 'response_format' },
  tools: { message: "Unrecognized request argument supplied: 'tools'", param: 'tools' },
  stream: { message: "Unsupported value: 'stream' does not support true with this model.", param: 'stream' },
}

export type Lacks = Map<Feature, Lack>

/** What an answer says to a request for something this server does not have. */
export const refusalOf = (asked: Asked, lacks: Lacks): { message: string; param: string } | undefined => {
  const lacking = [...lacks].find(([feature, how]) => how === 'refused' && uses[feature](objectOf(asked.body)))
  return lacking && refusals[lacking[0]]
}

/** The request as a server reads it that passes over what it does not know. */
export const understood = (asked: Asked, lacks: Lacks): Asked => {
  const ignored = [...lacks].flatMap(([feature, how]) => (how === 'ignored' && uses[feature](objectOf(asked.body)) ? fields[feature] : []))
  if (ignored.length === 0) return asked
  const body = Object.fromEntries(Object.entries(objectOf(asked.body)).filter(([field]) => !ignored.includes(field)))
  return readAsked(asked.method, asked.path, body)
}
