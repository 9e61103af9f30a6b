import { admitted, after, asking, found, passage, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import { describe, expect, it } from 'vitest'
import { byNumber, passageNumbers } from './passage-numbers'

const first = () => after(asking({}), admitted, toResearch, planned('One?'), found('1.1', ['p3', 'p1']))

describe('passage numbers', () => {
  it('follow the order in which passages were found, and later passages are appended', () => {
    expect(passageNumbers(first().run)).toEqual(['p3', 'p1'])
    const { run } = first()
    const [step] = run.steps
    const rows = [...step!.evidence, { ...step!.evidence[0]!, id: 'p0' }]
    expect(passageNumbers({ ...run, steps: [{ ...step!, evidence: rows }] })).toEqual(['p3', 'p1', 'p0'])
  })

  it('stay the same for passages that the shown text cites', () => {
    const { run } = first()
    const shown = { text: 'x', citations: [], claims: [], checkKey: 'key' }
    expect(passageNumbers({ ...run, shown: { ...shown, numbers: ['', 'p1'] } })).toEqual(['p3', 'p1'])
    expect(passageNumbers({ ...run, shown: { ...shown, numbers: ['p1'] } })).toEqual(['p1', 'p3'])
  })

  it('sort passages', () =>
    expect(byNumber(['p1', 'p2', 'p3'].map(passage), ['p3', 'p1']).map(({ id }) => id)).toEqual(['p3', 'p1', 'p2']))
})
