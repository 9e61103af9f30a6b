/** The content of an answer. Content of kind `default` is generated from the request. */
export type Content =
  | { kind: 'default' }
  | { kind: 'text'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'refusal'; reason: string }

/** How an answer is malformed. With `body`, its JSON is invalid. With `shape`, its fields are wrong. */
export type Malformed = 'body' | 'shape'

export type Answer =
  | { kind: 'content'; content: Content; cachedTokens?: number; finish?: 'length' | 'content_filter' }
  | { kind: 'status'; status: number; headers: Record<string, string>; message: string; code: string | null }
  | { kind: 'hang' }
  | { kind: 'trickle'; content: Content; everyMs: number; stallAfter?: number }
  | { kind: 'reset'; when: 'before-headers' | 'mid-body'; content: Content }
  | { kind: 'malformed'; how: Malformed }
  | { kind: 'typed'; contentType: string; body: string }

type Said = { cachedTokens?: number; finish?: 'length' | 'content_filter' }

const statuses: Record<number, { message: string; code: string | null }> = {
  400: { message: 'The request was rejected.', code: null },
  401: { message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  429: { message: 'Rate limit reached for requests.', code: 'rate_limit_exceeded' },
  500: { message: 'The server had an error while processing your request.', code: null },
  503: { message: 'The engine is currently overloaded, please try again later.', code: null },
}

const asContent = (said: string | Content): Content => (typeof said === 'string' ? { kind: 'text', text: said } : said)

const status = (
  code: number,
  headers: Record<string, string> = {},
  more: { message?: string; code?: string } = {},
): Answer => ({
  kind: 'status',
  status: code,
  headers,
  message: more.message ?? statuses[code]?.message ?? `Status ${code}.`,
  code: more.code ?? statuses[code]?.code ?? null,
})

export const answer = {
  text: (text: string, said: Said = {}): Answer => ({ kind: 'content', content: { kind: 'text', text }, ...said }),
  /** Answers with a JSON value. For embeddings and rerank, `value` is the whole body. */
  json: (value: unknown, said: Said = {}): Answer => ({ kind: 'content', content: { kind: 'json', value }, ...said }),
  usual: (said: Said = {}): Answer => ({ kind: 'content', content: { kind: 'default' }, ...said }),
  refused: (reason: string): Answer => ({ kind: 'content', content: { kind: 'refusal', reason } }),
  status,
  /** Refuses a request with status 429. `until` becomes the header `Retry-After`, as seconds or as a date. */
  limited: (until?: number | Date): Answer =>
    status(
      429,
      until === undefined ? {} : { 'retry-after': typeof until === 'number' ? `${until}` : until.toUTCString() },
    ),
  hang: (): Answer => ({ kind: 'hang' }),
  /** Sends an answer slowly: as words of a stream or bytes of a body. Sending stops after `stallAfter` pieces. */
  trickle: (pace: { everyMs: number; stallAfter?: number }, said: string | Content = { kind: 'default' }): Answer => ({
    kind: 'trickle',
    content: asContent(said),
    ...pace,
  }),
  reset: (when: 'before-headers' | 'mid-body', said: string | Content = { kind: 'default' }): Answer => ({
    kind: 'reset',
    when,
    content: asContent(said),
  }),
  malformed: (how: Malformed): Answer => ({ kind: 'malformed', how }),
  /** Simulates a faulty proxy, which returns an unexpected content type. */
  typed: (contentType = 'text/html', body = '<html><body>Bad gateway</body></html>'): Answer => ({
    kind: 'typed',
    contentType,
    body,
  }),
}
