import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { type AuditVerdict, createClient, verifyAudit } from '@plumbline/client'
import { type AuditEntry, cleanName } from '@plumbline/contracts'
import { WrongArgument } from '../ingest/find-files'
import { count, type Screen } from '../render/text'
import type { AuditCommand } from './args'

type Output = { write(text: string): unknown }
type Reading = { screen: Screen; output: Output }

const brokenCode = 5

const exportAudit = async ({ url, key }: { url: string; key?: string }): Promise<Readable> => {
  const { body } = await createClient({ url, ...(key && { key }) }).exportAudit()
  return body ? Readable.fromWeb(body as WebStream) : Readable.from([])
}

const verdictWords = (verdict: AuditVerdict): string => {
  if (verdict.kind === 'broken')
    return `Line ${verdict.line}${verdict.seq === null ? '' : `, entry ${verdict.seq}`}: ${verdict.why}.`
  const { tenant, entries, anchor, last } = verdict
  const from =
    anchor.seq === 0 ? 'its first entry on' : `entry ${anchor.seq + 1} on, because earlier entries have expired`
  const end =
    last.at === undefined ? '' : ` The last entry is number ${last.seq} from ${last.at}, with the hash ${last.hash}.`
  return `The log of ${tenant} is complete and unchanged: ${count(entries, 'entry', 'entries')} from ${from}.${end}`
}

type Verify = Extract<AuditCommand, { kind: 'verify' }>

const verify = async (lines: Readable, { json, expect }: Verify, { output, screen }: Reading): Promise<number> => {
  const read = createInterface({ input: lines, crlfDelay: Infinity })
  const verdict = await verifyAudit(read, expect === undefined ? {} : { expect })
  const isWhole = verdict.kind === 'whole'
  const words = verdictWords(verdict)
  output.write(
    json ? `${JSON.stringify(verdict)}\n` : `${isWhole ? screen.paint.good(words) : screen.paint.bad(words)}\n`,
  )
  return isWhole ? 0 : brokenCode
}

const rowOf = ({ at, actor, action, target, outcome }: AuditEntry, { paint }: Screen): string => {
  const how = outcome === 'done' ? '' : ` ${paint.warn(outcome)}`
  return `  ${paint.dim(at.slice(0, 19).replace('T', ' '))}  ${action.padEnd(20)}  ${cleanName(target)}${how}  ${paint.dim(cleanName(actor))}`
}

const openLog = async (file: string): Promise<Readable> => {
  const stream = createReadStream(file, 'utf8')
  await new Promise((resolve, reject) => {
    stream.once('open', resolve)
    stream.once('error', (error) => reject(new WrongArgument(`${file} cannot be read: ${error.message}`)))
  })
  return stream
}

export const readAudit = async (
  command: Exclude<AuditCommand, { kind: 'help' | 'fault' }>,
  reading: Reading,
): Promise<number> => {
  const { output, screen } = reading
  const { place } = command
  if (command.kind === 'verify') {
    const lines = command.file === null ? await exportAudit(place) : await openLog(command.file)
    return verify(lines, command, reading)
  }
  if (command.kind === 'export') {
    for await (const piece of await exportAudit(place)) output.write(String(piece))
    return 0
  }
  const page = await createClient({ url: place.url, ...(place.key && { key: place.key }) }).audit({
    limit: 100,
    ...command.wanted,
  })
  if (command.json) output.write(`${JSON.stringify(page)}\n`)
  else for (const entry of page.items) output.write(`${rowOf(entry, screen)}\n`)
  return 0
}
