import type { OfficePackage } from '../ooxml'
import { chartBlocks } from '../ooxml'
import { blocks, paragraph } from '../prose'
import { below } from '../xml'

/** What stands in the shapes and charts of a drawing. */
const drawingBlocks = (office: OfficePackage, path: string): string => {
  const drawing = office.part(path)
  const texts = below(drawing, 'txBody').map((body) =>
    below(body, 'p')
      .map((line) =>
        below(line, 't')
          .map(({ text }) => text)
          .join(''),
      )
      .join('\n'),
  )
  const charts = office.relations(path).flatMap(({ type, target }) => {
    const chart = type === 'chart' ? office.part(target) : undefined
    return chart ? [chartBlocks(chart)] : []
  })
  return blocks(texts.map(paragraph), charts)
}

export const drawingsOf = (office: OfficePackage, sheet: string): string =>
  blocks(
    office.relations(sheet).flatMap(({ type, target }) => (type === 'drawing' ? [drawingBlocks(office, target)] : [])),
  )
