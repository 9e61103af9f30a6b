import { paragraph } from '../write-markdown'
import { below, child, childrenOf, textBelow, type XmlNode } from './xml'
import type { OfficePackage, Relation } from './zip-parts'

export const commentLine = (author: string | undefined, text: string, place?: string): string =>
  `Comment${place === undefined ? '' : ` on ${place}`}${author ? ` by ${author}` : ''}: ${text}`

const wordsOf = (comment: XmlNode): string => textBelow(comment) || (child(comment, 'text')?.text ?? '')

/** Skips the second copy of a threaded comment, which Office stores for old programs. */
export const commentLines = (office: OfficePackage, relations: readonly Relation[]): string[] => {
  const threaded = new Set<string | undefined>()
  return ['threadedComment', 'comments'].flatMap((wanted) =>
    relations.flatMap(({ type, target }) => {
      const part = type === wanted ? office.part(target) : undefined
      const authors = childrenOf(child(part, 'authors'), 'author').map(({ text }) => text)
      return ['threadedComment', 'comment', 'cm'].flatMap((name) =>
        below(part, name).flatMap((comment) => {
          const { ref, authorId = '' } = comment.attributes
          if (name === 'threadedComment') threaded.add(ref)
          const text = wordsOf(comment).trim()
          return text === '' || (name === 'comment' && threaded.has(ref))
            ? []
            : [paragraph(commentLine(authors[Number(authorId)], text, ref))]
        }),
      )
    }),
  )
}
