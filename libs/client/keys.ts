import { AuditPage, KeyList, KeyWithSecret, type NewKey } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

/** Another tenant than the key's own, for operators. */
type OfTenant = { tenant?: string } & Signalled
/** `action` matches the whole or its first word; times are in ISO form. */
type AuditAsked = { action?: string; actor?: string; from?: string; to?: string }

/** API keys and the audit log. */
export const keysOf = ({ read, done }: Calls, connection: Connection) => ({
  keys: ({ signal, ...query }: OfTenant = {}) => read(KeyList, ['keys'], { query, signal }),
  /** The secret key exists only in this response. */
  createKey: (key: NewKey, options?: Signalled) =>
    read(KeyWithSecret, ['keys'], { method: 'POST', json: key, ...options }),
  rotateKey: (id: string, graceSeconds: number, { signal, ...query }: OfTenant = {}) =>
    read(KeyWithSecret, ['keys', id, 'rotate'], { method: 'POST', json: { graceSeconds }, query, signal }),
  /** `force`: revokes even the last admin key. */
  revokeKey: (id: string, { signal, force = false, tenant }: OfTenant & { force?: boolean } = {}) =>
    done(['keys', id], { method: 'DELETE', query: { tenant, force: `${force}` }, signal }),
  audit: ({ signal, ...query }: Page & AuditAsked = {}) => read(AuditPage, ['audit'], { query, signal }),
  /** Yields the start of the log, then one entry per line, oldest first. */
  exportAudit: (options?: Signalled) => send(connection, ['audit', 'export'], options),
})
