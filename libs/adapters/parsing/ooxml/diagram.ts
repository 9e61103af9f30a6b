import type { XmlNode } from '../xml'
import { below, child, childrenOf } from '../xml'
import type { Block } from './lists'

/** What the points of a diagram say. */
export const diagramBlocks = (data: XmlNode | undefined): Block[] =>
  below(data, 'pt').map((point) => {
    const lines = childrenOf(child(point, 't'), 'p').map((line) =>
      below(line, 't')
        .map(({ text }) => text)
        .join(''),
    )
    return { kind: 'item', level: 0, text: lines.join(' ') }
  })
