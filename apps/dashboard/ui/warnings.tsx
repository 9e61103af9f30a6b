import { cleanName, type PassageWarning } from '@plumbline/contracts'

/** What may be wrong with what was read of a document or a page of it. */
export const Warnings = ({ warnings = [] }: { warnings?: PassageWarning[] | undefined }) =>
  warnings.length === 0 ? null : (
    <ul className="warn small" aria-label="What may be wrong with what was read">
      {warnings.map(({ words }) => (
        <li key={words}>{cleanName(words)}</li>
      ))}
    </ul>
  )
