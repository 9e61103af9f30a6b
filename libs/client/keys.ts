import { AuditPage, KeyList, KeyNames, KeyWithSecret, type NewKey } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

/** Only operators may name a tenant other than their own. */
type OfTenant = { tenant?: string } & Signalled
/** `action`: the full name of an action, or its first word. */
type AuditAsked = { action?: string; actor?: string; from?: string; to?: string }

export const keysOf = ({ read, done }: Calls, connection: Connection) => ({
  keys: ({ signal, ...query }: OfTenant = {}) => read(KeyList, ['keys'], { query, signal }),
  /** An asker gets only the name of its own key. */
  keyNames: (options?: Signalled) => read(KeyNames, ['keys', 'names'], options),
  /** Only this response contains the secret key. */
  createKey: (key: NewKey, options?: Signalled) =>
    read(KeyWithSecret, ['keys'], { method: 'POST', json: key, ...options }),
  rotateKey: (id: string, graceSeconds: number, { signal, ...query }: OfTenant = {}) =>
    read(KeyWithSecret, ['keys', id, 'rotate'], { method: 'POST', json: { graceSeconds }, query, signal }),
  /** The last admin key requires `force`. */
  revokeKey: (id: string, { signal, force = false, tenant }: OfTenant & { force?: boolean } = {}) =>
    done(['keys', id], { method: 'DELETE', query: { tenant, force: `${force}` }, signal }),
  audit: ({ signal, ...query }: Page & AuditAsked = {}) => read(AuditPage, ['audit'], { query, signal }),
  /** The first line is the header. The entries follow, oldest first, one per line. */
  exportAudit: (options?: Signalled) => send(connection, ['audit', 'export'], options),
})
