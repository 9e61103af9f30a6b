export type Signalled = { signal?: AbortSignal }
export type Page = { cursor?: string; limit?: number } & Signalled
export type Keyed = { idempotencyKey?: string } & Signalled

export const keyed = ({ idempotencyKey }: Keyed) => ({ 'idempotency-key': idempotencyKey })
export const withSignal = ({ signal }: Signalled) => (signal ? { signal } : {})
export const path = (...parts: string[]): string => `/v1/${parts.map(encodeURIComponent).join('/')}`
