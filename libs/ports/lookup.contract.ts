import { describe, expect, it } from 'vitest'
import type { Lookup } from './lookup'

const never = new AbortController().signal

/**
 * Checks a lookup of ships by harbour. `open` must provide two ships in Aldwick (`Nora` with 400 tonnes and `Ida |
 * Lund` with 120) and none in New Corvey.
 */
export const lookupContract = (label: string, open: () => Promise<Lookup>): void => {
  describe(`lookup: ${label}`, () => {
    it('returns rows, as text, in order', async () =>
      expect(await (await open()).look({ harbour: 'Aldwick' }, never)).toEqual({
        kind: 'rows',
        columns: ['name', 'tonnes'],
        rows: [
          ['Nora', '400'],
          ['Ida | Lund', '120'],
        ],
        cut: false,
      }))

    it('returns no rows if there are none', async () =>
      expect(await (await open()).look({ harbour: 'New Corvey' }, never)).toMatchObject({ rows: [] }))

    it.each<[string, Record<string, string>]>([
      ['a value that is not allowed', { harbour: "Aldwick' OR 1=1 --" }],
      ['a value that leads elsewhere', { harbour: '../secrets' }],
      ['no value', {}],
      ['a parameter it does not have', { harbour: 'Aldwick', admin: 'yes' }],
    ])('rejects %s', async (_, values) => {
      await expect((await open()).look(values, never)).rejects.toMatchObject({
        code: 'lookup.bad-value',
        retry: 'never',
      })
    })

    it('stops on its signal', async () => {
      const lookup = await open()
      await expect(lookup.look({ harbour: 'Aldwick' }, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    })
  })
}
