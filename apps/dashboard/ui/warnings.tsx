import { cleanName, type PassageWarning } from '@plumbline/contracts'

/** Lists the warnings about how a document or one of its pages was read. */
export const Warnings = ({ warnings = [] }: { warnings?: PassageWarning[] | undefined }) =>
  warnings.length === 0 ? null : (
    <ul className="warn small" aria-label="Reading warnings">
      {warnings.map(({ words }) => (
        <li key={words}>{cleanName(words)}</li>
      ))}
    </ul>
  )
