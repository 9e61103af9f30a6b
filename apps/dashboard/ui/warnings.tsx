import { cleanName, type PassageWarning } from '@plumbline/contracts'

export const Warnings = ({ warnings = [] }: { warnings?: readonly Pick<PassageWarning, 'words'>[] | undefined }) =>
  warnings.length === 0 ? null : (
    <ul className="warn small" aria-label="Text warnings">
      {warnings.map(({ words }) => (
        <li key={words}>{cleanName(words)}</li>
      ))}
    </ul>
  )

/** Labels for warnings about the cited text. The other warnings are about pages without text, so they have no label. */
const marks: Partial<Record<PassageWarning['kind'], string>> = {
  ocr: 'read by OCR',
  'damaged-text': 'damaged text',
  'wrong-encoding': 'wrong encoding',
  'right-to-left': 'uncertain word order',
}

export const warningMark = (warnings: PassageWarning[] = []): string =>
  [...new Set(warnings.flatMap(({ kind }) => marks[kind] ?? []))].join(', ')
