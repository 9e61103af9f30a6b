import type { ChatError, Problem } from '@plumbline/contracts'

/** Maps problem types to OpenAI's error codes. Any other problem type is itself used as the code. */
const codes: Record<string, string> = {
  unauthorized: 'invalid_api_key',
  'budget-spent': 'insufficient_quota',
  'tenant-limit': 'rate_limit_exceeded',
  'too-many-requests': 'rate_limit_exceeded',
}

const typeOf = (status: number): string => {
  if (status >= 500) return 'server_error'
  if (status === 429) return 'rate_limit_error'
  return status === 403 ? 'permission_error' : 'invalid_request_error'
}

export const openaiError = ({ type, status, detail = '', errors }: Problem): ChatError => {
  const name = type.replace('urn:plumbline:problem:', '')
  const param = errors?.[0]?.field ?? null
  const code = status === 404 && param === 'model' ? 'model_not_found' : (codes[name] ?? name)
  return { error: { message: detail, type: typeOf(status), param, code } }
}
