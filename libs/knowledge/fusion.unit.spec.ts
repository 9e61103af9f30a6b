import { describe, expect, it } from 'vitest'
import { fuse } from './fusion'

const order = (rankings: { weight: number; ids: string[] }[], constant = 60): string[] =>
  fuse(rankings, constant).map(({ id }) => id)

describe('weighted reciprocal rank fusion', () => {
  it('sums weight / (constant + rank) for each id', () =>
    expect(
      fuse(
        [
          { weight: 2, ids: ['a', 'b'] },
          { weight: 1, ids: ['b'] },
        ],
        10,
      ),
    ).toEqual([
      { id: 'b', score: 2 / 12 + 1 / 11 },
      { id: 'a', score: 2 / 11 },
    ]))
  it('prefers agreement between rankings to one good rank, unless the weights say otherwise', () => {
    expect(
      order([
        { weight: 1, ids: ['a', 'x', 'b'] },
        { weight: 1, ids: ['c', 'y', 'b'] },
      ])[0],
    ).toBe('b')
    expect(
      order([
        { weight: 9, ids: ['a', 'b'] },
        { weight: 1, ids: ['b', 'a'] },
      ])[0],
    ).toBe('a')
  })
  it('orders ties by first appearance, and counts a repeated id once', () => {
    expect(
      order([
        { weight: 1, ids: ['a'] },
        { weight: 1, ids: ['b'] },
      ]),
    ).toEqual(['a', 'b'])
    expect(fuse([{ weight: 1, ids: ['a', 'a', 'b'] }], 1)).toEqual([
      { id: 'a', score: 1 / 2 },
      { id: 'b', score: 1 / 3 },
    ])
  })
  it('returns an empty list if there are no rankings', () => expect(fuse([], 60)).toEqual([]))
})
