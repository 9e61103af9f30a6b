import { describe, expect, it } from 'vitest'
import { advance, start } from '../machine'
import type { Policy } from '../policy/policy'
import { anyReport, picks } from '../spec/any.spec'
import { asked, checked, decided, movedBy, parked, reportOf } from '../spec/given.spec'
import { storedFirst, storedWithStyle } from '../spec/stored.spec'
import { Run } from './run'

describe('a stored run', () => {
  it('of the first shape still parses and still moves', () => {
    const run = Run.parse(JSON.parse(storedFirst))
    const { run: next } = movedBy(advance(run, reportOf(run, checked(1), 1_800_000_006_000)))
    expect(next).toMatchObject({
      status: 'answered',
      movedAt: 1_800_000_006_000,
      answer: { text: '0.642 × 10^24 kg [1].' },
    })
  })

  it('with claims that were exempt and skills that are gone still parses, whole, and is still decided', () => {
    const run = Run.parse(JSON.parse(storedWithStyle))
    expect(run).toEqual(JSON.parse(storedWithStyle))
    const { run: approved } = movedBy(advance(run, reportOf(run, decided(1, { outcome: 'approved' }))))
    expect(approved).toMatchObject({ status: 'answered', reason: 'answered.decided', answer: { text: 'Draft 1 [1].' } })
    const { run: again } = movedBy(advance(run, reportOf(run, decided(1, { outcome: 'retry' }))))
    expect(again.open).toMatchObject([{ id: 'generate.2', avoid: [{ text: 'A unsupported claim.' }] }])
  })

  it('means what it meant: what its policy lacks is what there was before the field', () => {
    const older = Run.parse(JSON.parse(storedFirst)).policy
    const spelled: Policy = {
      ...older,
      routing: 'scope',
      depth: 'fixed',
      gradeAgainst: 'step',
      whenFew: 'go-on',
      drafts: 'one',
      generalKnowledge: 'off',
      replies: 'own-words',
      sensitiveSources: 0,
      sharedFrom: 'start',
    }
    for (let seed = 0; seed < 200; seed += 1) {
      const pick = picks(seed)
      let [a, b] = [older, spelled].map((policy) => start({ ...asked, webOn: seed % 2 === 0 }, policy).run) as [
        Run,
        Run,
      ]
      while (a.open.length > 0) {
        const report = anyReport(a.open[pick(a.open.length)]!, a, pick)
        const [nextA, nextB] = [advance(a, report), advance(b, report)]
        expect(nextB.kind).toBe(nextA.kind)
        if (nextA.kind === 'moved' && nextB.kind === 'moved') [a, b] = [nextA.run, nextB.run]
        expect({ ...b, policy: null }).toEqual({ ...a, policy: null })
      }
    }
  })

  it('is the run: nothing is lost on the way to the store and back', () => {
    const { run } = parked()
    expect(Run.parse(JSON.parse(JSON.stringify(run)))).toEqual(run)
  })
})
