import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { htmlToMarkdown } from '../html/html-to-markdown'
import type { ReadingWithMembers } from '../limits'
import { readMembers } from '../members'
import { blocks, escapedHeading, escapedLine, paragraphs } from '../write-markdown'

const mostNested = 20

const opened = async (bytes: Uint8Array, name: string): Promise<Email> => {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: mostNested })
  } catch (cause) {
    throw new Unfit(
      'bomb',
      `${name} nests its parts more than ${mostNested} levels deep or has parts that do not end, so it was not read. Save the mail again, or upload its text.`,
      { cause },
    )
  }
}

const addressText = (one: Address): string =>
  one.group
    ? `${one.name}: ${one.group.map(addressText).join(', ')}`
    : one.name && one.address
      ? `${one.name} (${one.address})`
      : one.name || one.address

const headLines = ({ from, to, cc, date }: Email): string[] => {
  const people = (all: Address[] = []): string => all.map(addressText).join(', ')
  const lines = { From: people(from && [from]), To: people(to), Cc: people(cc), Date: date ?? '' }
  return Object.entries(lines).flatMap(([field, value]) => (value === '' ? [] : [escapedLine(`${field}: ${value}`)]))
}

const endings: Record<string, string> = { 'message/rfc822': 'eml', 'text/plain': 'txt', 'text/html': 'html' }

const nameOf = ({ filename, mimeType }: Attachment, at: number): string =>
  filename || `attachment ${at + 1}.${endings[mimeType] ?? mimeType.split('/')[1] ?? 'bin'}`

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

export const readEmail = async (bytes: Uint8Array, reading: ReadingWithMembers): Promise<ParsedDocument> => {
  const { name } = reading
  const mail = await opened(bytes, name)
  if (!mail.from && mail.date === undefined && mail.subject === undefined)
    throw new Unfit(
      'mislabelled',
      `${name} is named like a mail, but contains no sender, date or subject. Save the mail again, or upload it as .txt.`,
    )
  const title = mail.subject?.replace(/\s+/g, ' ').trim() ?? ''
  const body = mail.html === undefined ? paragraphs(mail.text ?? '') : htmlToMarkdown(mail.html)
  const { parts, notes } = await readMembers(
    mail.attachments.map((attachment, at) => ({ name: nameOf(attachment, at), bytes: () => bytesOf(attachment) })),
    reading,
  )
  if (body.trim() === '' && parts.length === 0)
    throw new Unfit(
      'no-text',
      `${name} contains no text and no attachment that can be read.${notes[0] ? ` ${notes[0]}` : ''}`,
    )
  const head = blocks(title === '' ? '' : `# ${escapedHeading(title)}`, headLines(mail).join('\n'), body)
  return {
    ...(title !== '' && { title }),
    markup: 'markdown',
    parts: [{ text: head }, ...parts],
    ...(notes.length > 0 && { notes }),
  }
}
