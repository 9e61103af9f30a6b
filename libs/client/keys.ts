import { AuditPage, KeyList, KeyNames, KeyWithSecret, type NewKey } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

/** Only an operator may name another tenant. */
type OfTenant = { tenant?: string } & Signalled
/** `action` is the full name of an action, such as `key.created`, or only its first word. */
type AuditAsked = { action?: string; actor?: string; from?: string; to?: string }

export const keysOf = ({ read, done }: Calls, connection: Connection) => ({
  keys: ({ signal, ...query }: OfTenant = {}) => read(KeyList, ['keys'], { query, signal }),
  /** Returns the names of the tenant's keys. An asker gets only the name of its own key. */
  keyNames: (options?: Signalled) => read(KeyNames, ['keys', 'names'], options),
  /** Creates a key. Only this response contains the secret. */
  createKey: (key: NewKey, options?: Signalled) =>
    read(KeyWithSecret, ['keys'], { method: 'POST', json: key, ...options }),
  rotateKey: (id: string, graceSeconds: number, { signal, ...query }: OfTenant = {}) =>
    read(KeyWithSecret, ['keys', id, 'rotate'], { method: 'POST', json: { graceSeconds }, query, signal }),
  /** Revokes a key. Without `force`, the last admin key of a tenant is not revoked. */
  revokeKey: (id: string, { signal, force = false, tenant }: OfTenant & { force?: boolean } = {}) =>
    done(['keys', id], { method: 'DELETE', query: { tenant, force: `${force}` }, signal }),
  audit: ({ signal, ...query }: Page & AuditAsked = {}) => read(AuditPage, ['audit'], { query, signal }),
  /** Returns the audit log as lines of text. The first line is the header. The entries follow, the oldest first. */
  exportAudit: (options?: Signalled) => send(connection, ['audit', 'export'], options),
})
