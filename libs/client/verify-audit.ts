import { type AuditAnchor, AuditEntry, AuditHeader, auditText } from '@plumbline/contracts'

export type AuditVerdict =
  | { kind: 'whole'; tenant: string; entries: number; anchor: AuditAnchor; last: AuditAnchor & { at?: string } }
  /** `line` is the number of the first line that does not match the lines before it. */
  | { kind: 'broken'; line: number; seq: number | null; why: string }

const sha256 = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const read = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const faultOf = async (entry: AuditEntry, { seq, hash }: AuditAnchor): Promise<string | null> => {
  if (entry.seq !== seq + 1) return `it is entry ${entry.seq} instead of ${seq + 1}: entries were removed or inserted`
  if (entry.prev !== hash)
    return 'it does not contain the hash of the previous entry: one of the two entries was changed'
  const own = await sha256(auditText(entry))
  return own === entry.hash ? null : 'its hash does not match its content: it was changed'
}

/**
 * Verifies an exported audit log. `expect` is the last hash of an earlier verification, which shows whether entries at
 * the end were removed.
 */
export const verifyAudit = async (
  lines: AsyncIterable<string> | Iterable<string>,
  { expect }: { expect?: string } = {},
): Promise<AuditVerdict> => {
  let isExpected = expect === undefined
  const note = ({ hash }: AuditAnchor): void => void (isExpected ||= hash === expect)
  let header: AuditHeader | undefined
  let last: (AuditAnchor & { at?: string }) | undefined
  let line = 0
  let entries = 0
  const broken = (seq: number | null, why: string): AuditVerdict => ({ kind: 'broken', line, seq, why })
  for await (const text of lines) {
    line += 1
    if (text.trim() === '') continue
    if (!header || !last) {
      header = AuditHeader.safeParse(read(text)).data
      if (!header)
        return broken(
          null,
          'the first line does not state where the log begins, so this file is not an export of an audit log',
        )
      last = header.anchor
      note(last)
      continue
    }
    const entry = AuditEntry.safeParse(read(text)).data
    if (!entry) return broken(null, 'it is not an entry of an audit log')
    const why = await faultOf(entry, last)
    if (why !== null) return broken(entry.seq, why)
    last = { seq: entry.seq, hash: entry.hash, at: entry.at }
    note(last)
    entries += 1
  }
  if (!header || !last) return broken(null, 'it is empty')
  if (!isExpected)
    return broken(
      last.seq,
      `no entry has the expected hash ${expect}: the end of the log was removed, or this entry has expired`,
    )
  return { kind: 'whole', tenant: header.tenant, entries, anchor: header.anchor, last }
}
