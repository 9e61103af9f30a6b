import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { fencedTo } from '@plumbline/knowledge/chunking/blocks'
import { Unfit } from '@plumbline/ports/document-parser'
import { defaultLimits, type ReadingWithMembers } from './limits'
import { blocks, escapedHeading, paragraphs } from './write-markdown'

/** A file inside another file. `bytes` unpacks the file only when called, so that an unread file costs no memory. */
export type Member = { name: string; bytes: () => Uint8Array }

const withLowerHeadings = (markdown: string): string => {
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const end = fencedTo(lines, at)
    if (end >= 0) at = end
    else lines[at] = (lines[at] ?? '').replace(/^(#{1,5})(?=\s)/, '#$1')
  }
  return lines.join('\n')
}

const memberText = (name: string, { markup, parts }: ParsedDocument): string =>
  blocks(
    `# ${escapedHeading(name)}`,
    parts.map(({ text }) => (markup === 'text' ? paragraphs(text) : withLowerHeadings(text))),
  )

export const readMembers = async (
  members: Iterable<Member>,
  { name, readMember }: ReadingWithMembers,
): Promise<{ parts: ParsedPart[]; notes: string[] }> => {
  const [parts, notes]: [ParsedPart[], string[]] = [[], []]
  let chars = 0
  for (const member of members) {
    try {
      const document = await readMember(member.bytes(), member.name)
      const text = memberText(member.name, document)
      chars += text.length
      parts.push({ text })
      notes.push(...(document.notes ?? []).map((note) => `${member.name}: ${note}`))
    } catch (error) {
      if (!(error instanceof Unfit) || error.reason === 'bomb') throw error
      notes.push(`Not read: ${error.words.startsWith(member.name) ? '' : `${member.name}: `}${error.words}`)
    }
    if (chars > defaultLimits.textChars)
      throw new Unfit(
        'too-large',
        `${name} contains files with more than ${defaultLimits.textChars} characters of text together, which is the limit. Upload the files one by one.`,
      )
  }
  return { parts, notes }
}
