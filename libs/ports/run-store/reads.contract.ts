import { describe, expect, test } from 'vitest'
import type { RunStore } from './run-store'
import { abandoned, asked, samplePassage } from './sample-run'
import { move, type Setting } from './setting.contract'

export const readsContract = (at: Setting): void => {
  describe('ledger', () => {
    test('is read in order, in pages and after an id, with each event unchanged', async () => {
      const run = await at.created()
      for (let i = 0; i < 5; i += 1) {
        await at.store.commit({
          ...move(run, await at.versionOf(run.id), null),
          events: [abandoned(`${i}a`), { ...asked(`${i}b`), task: 'route' }],
        })
      }
      const all = await at.store.ledger(run.id, null, 100)
      expect(all).toHaveLength(11)
      expect(all[2]?.event).toEqual({ ...asked('0b'), task: 'route' })
      expect(new Set(all.map(({ event }) => event.audience))).toEqual(new Set(['asker', 'desk']))
      const pieces = []
      for (let after: string | null = null; ;) {
        const piece = await at.other.ledger(run.id, after, 3)
        if (piece.length === 0) break
        pieces.push(...piece)
        after = piece.at(-1)!.id
      }
      expect(pieces).toEqual(all)
      expect(await at.store.ledger(run.id, all.at(-1)!.id, 10)).toEqual([])
      expect(await at.store.ledger('nobody', null, 10)).toEqual([])
    })

    test('continues after a known entry, and detects an entry that it does not have', async () => {
      const run = await at.created()
      const commit = { ...move(run, await at.versionOf(run.id), null), events: [abandoned('a'), abandoned('b')] }
      await at.store.commit(commit)
      const all = await at.store.ledger(run.id, null, 100)
      expect(await at.other.ledgerFrom(run.id, null, 2)).toEqual(all.slice(0, 2))
      for (const [n, { id }] of all.entries())
        expect(await at.other.ledgerFrom(run.id, id, 2)).toEqual(all.slice(n + 1, n + 3))
      const [time = '', place = ''] = all.at(-1)!.id.split('-')
      expect(await at.store.ledgerFrom(run.id, `${time}-${Number(place) + 1}`, 10)).toBeNull()
      expect(await at.store.ledgerFrom(run.id, '1-0', 10)).toBeNull()
      expect(await at.store.ledgerFrom('nobody', null, 10)).toBeNull()
      expect(await at.store.ledgerFrom('nobody', '1-0', 10)).toBeNull()
    })
  })

  describe('draft', () => {
    test('accepts only the newest delivery of an open task, and its start number voids earlier text', async () => {
      const run = await at.created()
      const write = (fence: string, text: string) => at.store.appendDraft(run.id, { taskId: 'route', fence, text })
      await at.begun(run.id, 'route', 'f1')
      await write('f1', 'The ')
      await write('f1', 'Moon')
      await at.begun(run.id, 'route', 'f2', true)
      await write('f1', ' from a late delivery')
      await write('f2', 'Earth')
      const entries = await at.other.draft(run.id, null)
      expect(entries.map(({ delta }) => delta)).toEqual([
        { taskId: 'route', start: 1, text: 'The ' },
        { taskId: 'route', start: 1, text: 'Moon' },
        { taskId: 'route', start: 2, text: 'Earth' },
      ])
      expect(await at.store.draft(run.id, entries[1]!.id)).toEqual(entries.slice(2))
      expect(await at.store.draft(run.id, entries[0]!.id, 1)).toEqual(entries.slice(1, 2))
      await at.store.commit(move({ ...run, open: [] }, await at.versionOf(run.id), { taskId: 'route', fence: 'f2' }))
      await write('f2', ' after the end')
      expect(await at.store.draft(run.id, entries[2]!.id)).toEqual([])
    })

    test.each(['uncountStarts', 'countError'] as const)(
      'increases the start number also after %s, and accepts none of the earlier deliveries',
      async (giveBack) => {
        const run = await at.created()
        const write = (fence: string, text: string) => at.store.appendDraft(run.id, { taskId: 'route', fence, text })
        await at.begun(run.id, 'route', 'f1')
        await write('f1', 'void')
        await at.begun(run.id, 'route', 'f2', true)
        await write('f2', 'void too')
        await at.store[giveBack](run.id, 'route', 'f2', 'all')
        await write('f2', 'from nobody')
        expect(await at.begun(run.id, 'route', 'f3')).toMatchObject({ starts: 1 })
        await write('f1', 'late')
        await write('f3', 'valid')
        expect((await at.store.draft(run.id, null)).map(({ delta }) => [delta.start, delta.text])).toEqual([
          [1, 'void'],
          [2, 'void too'],
          [3, 'valid'],
        ])
      },
    )
  })

  describe('evidence', () => {
    test('is returned by id in the requested order; the newest row of an id wins', async () => {
      const run = await at.created()
      const commit = async (...evidence: ReturnType<typeof samplePassage>[]) =>
        at.store.commit({ ...move(run, await at.versionOf(run.id), null), evidence })
      await commit(samplePassage('p1', 'old'), samplePassage('p2'))
      await commit(samplePassage('p1', 'new'), samplePassage('p3'))
      expect((await at.store.evidence(run.id, ['p3', 'p1'])).map(({ id, text }) => [id, text])).toEqual([
        ['p3', samplePassage('p3').text],
        ['p1', 'new'],
      ])
      expect(await at.store.evidence(run.id, [])).toEqual([])
      expect(await at.store.evidence('nobody', ['p1'])).toEqual([])
    })

    test("includes another process's evidence, once its move is known", async () => {
      const run = await at.created()
      const commit = async (by: RunStore, text: string) =>
        by.commit({ ...move(run, await at.versionOf(run.id), null), evidence: [samplePassage('p1', text)] })
      await commit(at.store, 'ours')
      await commit(at.other, 'theirs')
      await at.store.load(run.id)
      expect(await at.store.evidence(run.id, ['p1'])).toMatchObject([{ text: 'theirs' }])
    })
  })
}
