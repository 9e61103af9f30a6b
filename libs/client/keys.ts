import { AuditPage, KeyList, KeyWithSecret, type NewKey } from '@plumbline/contracts'
import { type Calls, type Connection, type Page, send, type Signalled } from './request'

/** Another tenant than the key's own: an operator may name one. */
type OfTenant = { tenant?: string } & Signalled
/** `action` also by its first word; times in ISO form. */
type AuditAsked = { action?: string; actor?: string; from?: string; to?: string }

/** Who may come in, and what was changed. */
export const keysOf = ({ read, done }: Calls, connection: Connection) => ({
  keys: ({ signal, ...query }: OfTenant = {}) => read(KeyList, ['keys'], { query, signal }),
  /** The key itself is in what comes back, and nowhere else again. */
  createKey: (key: NewKey, options?: Signalled) =>
    read(KeyWithSecret, ['keys'], { method: 'POST', json: key, ...options }),
  rotateKey: (id: string, graceSeconds: number, { signal, ...query }: OfTenant = {}) =>
    read(KeyWithSecret, ['keys', id, 'rotate'], { method: 'POST', json: { graceSeconds }, query, signal }),
  /** `force`: although it is the last key of an admin. */
  revokeKey: (id: string, { signal, force = false, tenant }: OfTenant & { force?: boolean } = {}) =>
    done(['keys', id], { method: 'DELETE', query: { tenant, force: `${force}` }, signal }),
  audit: ({ signal, ...query }: Page & AuditAsked = {}) => read(AuditPage, ['audit'], { query, signal }),
  /** Where it begins, then an entry a line, oldest first. */
  exportAudit: (options?: Signalled) => send(connection, ['audit', 'export'], options),
})
