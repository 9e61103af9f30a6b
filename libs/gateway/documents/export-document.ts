import type { ParsedDocument } from '@plumbline/contracts'

export const exportDocument = (parsed: ParsedDocument, as: 'json' | 'markdown'): { type: string; body: string } =>
  as === 'json'
    ? { type: 'application/json; charset=utf-8', body: JSON.stringify(parsed) }
    : {
        type: `text/${parsed.markup === 'text' ? 'plain' : 'markdown'}; charset=utf-8`,
        body: `${parsed.parts
          .map(({ text }) => text.trim())
          .filter(Boolean)
          .join('\n\n')}\n`,
      }
