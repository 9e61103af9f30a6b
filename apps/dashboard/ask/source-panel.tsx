import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { type Citation, ownTitle, type RunView } from '@plumbline/contracts'
import { Button } from '../ui/controls'
import { Warnings } from '../ui/warnings'
import { claimOf, marksIn } from './marks'
import { useOutdated } from './outdated-sources'
import { MarkedProse } from './prose'

export type OpenSource = { run: RunView; n: number; from: HTMLElement }

const headingsOf = (source: Citation): string[] => {
  const [first, ...rest] = source.headingPath
  return first === undefined ? [] : first === ownTitle(source) ? rest : [first, ...rest]
}

export const sourceLocation = (source: Citation): string =>
  [[source.title, ...headingsOf(source)].join(' › '), source.page && `page ${source.page}`].filter(Boolean).join(' · ')

const sourcesOf = ({ answer, partial, nearest }: RunView): Citation[] => {
  const { citations = [] } = answer ?? partial ?? {}
  return citations.length > 0 ? citations : (nearest ?? [])
}

export const passageAddress = ({ collection, documentId, passageId }: Citation): string =>
  `/documents/${encodeURIComponent(collection ?? 'default')}/${encodeURIComponent(documentId)}?passage=${encodeURIComponent(passageId)}`

type ActionsProps = { source: Citation; hasOthers: boolean; move: (by: number) => void }
const Actions = ({ source, hasOthers, move }: ActionsProps) => (
  <p className="small actions">
    {source.url === undefined ? (
      <>
        <Link href={passageAddress(source)}>Open in the document</Link>
        {source.page !== undefined && <Link href={`${passageAddress(source)}&view=page`}>View page image</Link>}
      </>
    ) : (
      <span className="soft">{source.url}</span>
    )}
    {hasOthers && (
      <>
        <Button quiet onPress={() => move(-1)}>
          Previous source <kbd>←</kbd>
        </Button>
        <Button quiet onPress={() => move(1)}>
          Next source <kbd>→</kbd>
        </Button>
      </>
    )}
  </p>
)

type PanelProps = { open: OpenSource; onMove: (n: number) => void; onClose: () => void }

export const SourcePanel = ({ open: { run, n, from }, onMove, onClose }: PanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const sources = sourcesOf(run)
  const outdated = useOutdated(sources)
  const at = sources.findIndex((source) => source.n === n)
  const source = sources[at]
  useEffect(() => heading.current?.focus(), [run.id, n])
  if (!source) return null
  const move = (by: number): void => {
    const next = sources[(at + by + sources.length) % sources.length]
    if (next) onMove(next.n)
  }
  const close = (): void => {
    onClose()
    from.focus()
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowRight') move(1)
    if (key === 'ArrowLeft') move(-1)
    if (key === 'Escape') close()
  }
  const { documentId, title, page, date, fetchedAt, text, warnings = [] } = source
  return (
    <>
      <div className="shade" onClick={close} />
      <aside className="card source" aria-label="Source" onKeyDown={onKeyDown}>
        <header>
          <h2 ref={heading} tabIndex={-1}>
            Source {source.n} <span className="faint">of {sources.length}</span>
          </h2>
          <Button quiet onPress={close}>
            Close <kbd>Esc</kbd>
          </Button>
        </header>
        <p>
          <b>{title}</b>
          <br />
          <span className="small soft">
            {[page && `page ${page}`, headingsOf(source).join(' › '), date, fetchedAt && `fetched ${fetchedAt}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
        <Warnings warnings={[...warnings, ...[outdated.get(documentId) ?? []].flat()]} />
        <div className="passage">
          <MarkedProse text={text} marks={marksIn(run, source)} claim={claimOf(run, source)} fills />
        </div>
        <Actions source={source} hasOthers={sources.length > 1} move={move} />
      </aside>
    </>
  )
}
