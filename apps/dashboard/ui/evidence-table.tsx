import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import type { ExtraProps } from 'react-markdown'
import { Button } from './controls'

/** A table with more columns than this hides the columns without cited cells, even if all columns would fit. */
const mostColumns = 5

/** Scrolls the table sideways until the cell is in the middle of the space beside the sticky first column. */
const bringIntoView = (frame: HTMLElement, cell: HTMLElement): void => {
  const head = cell.parentElement?.firstElementChild?.getBoundingClientRect().width ?? 0
  const [{ left, width }, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
  frame.scrollLeft += left - outer.left - head - Math.max(0, outer.width - head - width) / 2
}

type Props = ComponentProps<'table'> & ExtraProps & { 'data-columns'?: number }

const overflowsUnfolded = (frame: HTMLElement): boolean => {
  const classes = frame.parentElement?.classList
  const wasFolded = classes?.contains('folded') ?? false
  classes?.remove('folded')
  const overflows = frame.scrollWidth > frame.clientWidth
  if (wasFolded) classes?.add('folded')
  return overflows
}

export const EvidenceTable = ({ node: _, 'data-columns': columns = 0, children }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const [isWide, setWide] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [scrolls, setScrolls] = useState(false)
  const isFolded = isWide && !isOpen
  useLayoutEffect(() => {
    if (frame.current) setWide(columns > 0 && (columns > mostColumns || overflowsUnfolded(frame.current)))
  }, [columns, children])
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    setScrolls(element.scrollWidth > element.clientWidth)
    const cell = element.querySelector<HTMLElement>('.cited-cell')
    if (cell) bringIntoView(element, cell)
  }, [children, isFolded])
  return (
    <div className={`evidence${isFolded ? ' folded' : ''}`}>
      <div ref={frame} className="table" {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': 'Table' })}>
        <table>{children}</table>
      </div>
      {isWide && (
        <Button quiet aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Show cited columns' : `Show all ${columns} columns`}
        </Button>
      )}
    </div>
  )
}
