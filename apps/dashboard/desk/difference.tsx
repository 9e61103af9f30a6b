import { diffWordsWithSpace } from 'diff'

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

export const Difference = ({ before, after }: { before: string; after: string }) => (
  <p className="difference">
    {diffWordsWithSpace(before, after, { intlSegmenter: words }).map(({ value, added, removed }, index) =>
      added ? (
        <ins key={index}>{value}</ins>
      ) : removed ? (
        <del key={index}>{value}</del>
      ) : (
        <span key={index}>{value}</span>
      ),
    )}
  </p>
)
