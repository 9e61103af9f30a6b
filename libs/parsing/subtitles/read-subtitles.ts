import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { parseText } from 'media-captions'
import { htmlToMarkdown } from '../html/html-to-markdown'
import type { Reading } from '../limits'
import { plainText } from '../text/read-text'
import { blocks, paragraph } from '../write-markdown'

/** In seconds: the maximum length of a paragraph, and the length of a pause that ends a paragraph. */
const [longest, rest] = [30, 3]

const clock = (seconds: number): string =>
  [seconds / 3_600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')

/** Returns the text of a subtitle. A `<v …>` tag names the speaker. */
const cueText = (cue: string): string =>
  htmlToMarkdown(cue.replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/g, '$1: ').replace(/<\/?(?:v|c|lang|\d)[^>]*>/g, ''))

export const readSubtitles = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const source = plainText(bytes, name)
  const { cues, errors } = await parseText(source, {
    type: /^\s*WEBVTT/.test(source) ? 'vtt' : 'srt',
    errors: true,
  })
  if (cues.length === 0)
    throw new Unfit(
      'mislabelled',
      `${name} is named like a subtitle file, but contains no line with a time. Upload the file as .txt, or export the subtitles again.`,
    )
  const spoken: { from: number; to: number; lines: string[] }[] = []
  for (const { startTime, endTime, text } of cues) {
    const last = spoken.at(-1)
    if (last && startTime - last.to < rest && startTime - last.from < longest && startTime >= last.from) {
      last.lines.push(cueText(text))
      last.to = Math.max(last.to, endTime)
    } else spoken.push({ from: startTime, to: endTime, lines: [cueText(text)] })
  }
  const text = blocks(spoken.map(({ from, lines }) => paragraph(`${clock(from)} ${lines.join('\n')}`)))
  const lost = errors.length
  return {
    markup: 'markdown',
    parts: [{ text }],
    ...(lost > 0 && {
      notes: [
        `${lost} ${lost === 1 ? 'line is' : 'lines are'} not in the format of subtitles, so their text may be missing.`,
      ],
    }),
  }
}
