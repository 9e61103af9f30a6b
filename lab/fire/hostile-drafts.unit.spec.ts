import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import { describe, expect, it } from 'vitest'
import { hostileDrafts } from './hostile-drafts'

const truth = 'The gate opens at nine [1].'
const words = (text: string): string[] => text.match(/[\p{L}\p{N}\p{So}]+/gu) ?? []
/** A number in brackets is a citation, and `[x]` is a box. */
const uncited = (text: string): string => text.replace(/\[\d{1,2}\]/g, '')

/** Removes the markers of a numbered list. */
const counted = (text: string): string => text.replace(/^\s*1\./gm, '')

describe('hostile drafts', () => {
  it('are many, and no two alike', () => {
    expect(hostileDrafts.length).toBeGreaterThanOrEqual(64)
    expect(new Set(hostileDrafts.map(({ name }) => name)).size).toBe(hostileDrafts.length)
    expect(new Set(hostileDrafts.map(({ draft }) => draft)).size).toBe(hostileDrafts.length)
  })

  it.each(hostileDrafts)('$name: every word is in a piece', ({ draft }) => {
    const text = draft.replaceAll('{{true}}', truth)
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(0)
    expect(words(pieces.map(({ raw }) => raw).join(' '))).toEqual(expect.arrayContaining(words(uncited(text))))
    const shown = uncited(counted(text.replace(/[\u200b\u200d]/g, '')))
    expect(words(pieces.map((piece) => piece.text).join(' '))).toEqual(expect.arrayContaining(words(shown)))
    const left = pieces.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text)
    expect(words(counted(left))).toEqual([])
  })

  it.each(hostileDrafts)('$name: some piece is more than the truth', ({ draft }) => {
    const pieces = piecesOf(draft.replaceAll('{{true}}', truth))
    expect(pieces.filter(({ text }) => text !== 'The gate opens at nine.').length).toBeGreaterThan(0)
  })
})
