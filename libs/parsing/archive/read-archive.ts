import { gunzipSync } from 'node:zlib'
import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { parseTar } from 'nanotar'
import type { ReadingWithMembers } from '../limits'
import { readMembers, type Member } from '../members'
import { isZip, openZip, zipEntries, zipLimits } from '../zip'

const bomb = (name: string, what: string): Unfit =>
  new Unfit('bomb', `${name} ${what}, so it was not opened. Unpack the archive and upload its documents.`)
const truncated = (name: string, cause?: unknown): Unfit =>
  new Unfit('truncated', `${name} is truncated or damaged and cannot be unpacked. Copy or download the file again.`, {
    cause,
  })

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b
const isTar = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'

const zipMembers = (bytes: Uint8Array, name: string): Member[] => {
  const { read } = openZip(bytes, name)
  return zipEntries(bytes, name)
    .filter((entry) => !entry.name.endsWith('/'))
    .map((entry) => ({ name: entry.name, bytes: () => read(entry.name) ?? new Uint8Array() }))
}

const unpacked = (bytes: Uint8Array, name: string): Uint8Array => {
  const most = Math.min(zipLimits.bytes, Math.max(zipLimits.ratioBeyond, bytes.length * zipLimits.ratio))
  try {
    return gunzipSync(bytes, { maxOutputLength: most })
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? bomb(name, `unpacks to more than ${Math.round(most / 1e6)} MB`)
      : truncated(name, cause)
  }
}

const tarMembers = (bytes: Uint8Array, name: string): Member[] => {
  if (bytes.subarray(-512).some((byte) => byte !== 0)) throw truncated(name)
  try {
    // Copy the bytes, because the tar library ignores the byte offset of a view and would read the wrong bytes.
    return parseTar(new Uint8Array(bytes)).flatMap(({ name: file, type, data }) =>
      type === 'file' && data ? [{ name: file, bytes: () => data }] : [],
    )
  } catch (cause) {
    throw truncated(name, cause)
  }
}

const gzipMembers = (bytes: Uint8Array, name: string): Member[] => {
  const whole = unpacked(bytes, name)
  return isTar(whole) ? tarMembers(whole, name) : [{ name: name.replace(/\.gz$/i, ''), bytes: () => whole }]
}

const isForSystems = (path: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(path)

export const readArchive = async (bytes: Uint8Array, reading: ReadingWithMembers): Promise<ParsedDocument> => {
  const { name } = reading
  const found = isZip(bytes)
    ? zipMembers(bytes, name)
    : isGzip(bytes)
      ? gzipMembers(bytes, name)
      : tarMembers(bytes, name)
  const members = found.filter((member) => !isForSystems(member.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (members.length > zipLimits.entries)
    throw bomb(name, `contains ${members.length} files, more than the allowed ${zipLimits.entries}`)
  const outside = members.find((member) => member.name.split(/[/\\]/).includes('..'))
  if (outside) throw bomb(name, `contains "${outside.name}", a path that leads out of the archive`)
  const { parts, notes } = await readMembers(members, reading)
  if (parts.length === 0)
    throw new Unfit(
      'no-text',
      `${name} contains no file that can be read.${notes[0] === undefined ? '' : ` ${notes[0]}`}`,
    )
  return { markup: 'markdown', parts, ...(notes.length > 0 && { notes }) }
}
