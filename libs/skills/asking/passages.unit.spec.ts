import type { Evidence } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, pilots, shorePower } from '../eval/harbours'
import { inOrder, passageQuote, tokensIn, within } from './passages'

const rows = Array.from({ length: 200 }, (_, n) => `| Berth ${n} | ${n * 3} tonnes | quiet |`).join('\n')
const table: Evidence = { ...dwellTime, id: 'berths', text: `| Berth | Load | Noise |\n|---|---|---|\n${rows}` }
const sizeOf = (all: Evidence[]): number => all.reduce((sum, { text }) => sum + tokensIn(text), 0)

describe('passages in a prompt', () => {
  it('say which document, collection and section they are of: a title alone may not name its product', () => {
    const log = {
      ...history,
      title: 'Changelog',
      collection: 'harbour-app',
      headingPath: ['Changelog', '2.4', 'Fixed'],
    }
    expect(passageQuote({ ...log, page: 3, date: '2024-05-01', url: 'https://a.example/log' }, 7)).toEqual({
      name: 'passage 7',
      text: `Document: Changelog\nCollection: harbour-app\nSection: 2.4 › Fixed\nPage: 3\nDate: 2024-05-01\nAddress: https://a.example/log\n\n${history.text}`,
    })
  })

  it('stay whole while they fit', () => expect(within(12_000, 'cranes', harbours)).toEqual(harbours))

  it('are cut around what is asked where they do not fit, and short ones stay whole', () => {
    const cut = within(400, 'How much is on berth 154?', [history, table])
    expect(cut[0]).toEqual(history)
    expect(cut[1]?.text).toContain('| Berth | Load | Noise |')
    expect(cut[1]?.text).toContain('| Berth 154 | 462 tonnes | quiet |')
    expect(sizeOf(cut)).toBeLessThanOrEqual(400)
  })

  it('keep their beginning where they have no word of the question', () => {
    const [cut] = within(50, 'Zebras?', [table])
    expect(cut?.text.startsWith('| Berth | Load |')).toBe(true)
    expect(sizeOf([cut!])).toBeLessThanOrEqual(51)
  })

  it('come in one order, however they were graded and found', () => {
    const ordered = inOrder([shorePower, pilots, { ...dwellTime, position: 1 }, history]).map(({ id }) => id)
    expect(ordered).toEqual(['history', 'pilots', 'shore-power', 'dwell-time'])
    expect(inOrder([history, { ...dwellTime, position: 1 }, pilots, shorePower]).map(({ id }) => id)).toEqual(ordered)
    expect(inOrder(Array.from({ length: 120 }, (_, n) => ({ ...history, id: `h${n}` })))).toHaveLength(99)
  })
})
