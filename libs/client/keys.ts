import { AuditPage, KeyList, KeyWithSecret, type NewKey } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

/** The tenant whose keys are used. Only operators may name a tenant other than their own. */
type OfTenant = { tenant?: string } & Signalled
/**
 * Filters for audit entries. `action`: the full name of an action, or its first word. `from` and `to` are in ISO form.
 */
type AuditAsked = { action?: string; actor?: string; from?: string; to?: string }

/** Returns the calls for API keys and the audit log. */
export const keysOf = ({ read, done }: Calls, connection: Connection) => ({
  keys: ({ signal, ...query }: OfTenant = {}) => read(KeyList, ['keys'], { query, signal }),
  /** Creates a key. Only this response contains the secret key. */
  createKey: (key: NewKey, options?: Signalled) =>
    read(KeyWithSecret, ['keys'], { method: 'POST', json: key, ...options }),
  rotateKey: (id: string, graceSeconds: number, { signal, ...query }: OfTenant = {}) =>
    read(KeyWithSecret, ['keys', id, 'rotate'], { method: 'POST', json: { graceSeconds }, query, signal }),
  /** Revokes a key. Revoking the last admin key requires `force`. */
  revokeKey: (id: string, { signal, force = false, tenant }: OfTenant & { force?: boolean } = {}) =>
    done(['keys', id], { method: 'DELETE', query: { tenant, force: `${force}` }, signal }),
  audit: ({ signal, ...query }: Page & AuditAsked = {}) => read(AuditPage, ['audit'], { query, signal }),
  /** Exports the audit log as lines. The first line is the header. The entries follow, oldest first, one per line. */
  exportAudit: (options?: Signalled) => send(connection, ['audit', 'export'], options),
})
