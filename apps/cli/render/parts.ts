import type { StreamEvent } from '@plumbline/contracts'
import { markdownLines } from './markdown'
import type { Screen } from './text'

const blankLine = /\n[^\S\n]*\n/

export const continuationLines = (before: string, part: string, screen: Screen): string[] => {
  const lines = markdownLines({ text: part.trim(), marks: [] }, screen)
  const gap = before.slice(before.trimEnd().length) + part.slice(0, part.length - part.trimStart().length)
  return before !== '' && lines.length > 0 && blankLine.test(gap) ? ['', ...lines] : lines
}

export const collectParts = (screen: Screen) => {
  let text = ''
  return {
    shown: () => text,
    add: (event: StreamEvent): string[] => {
      if (event.type !== 'checked' || event.from !== text.length) return []
      const lines = continuationLines(text, event.text, screen)
      text += event.text
      return lines
    },
  }
}
