import { describe, expect, it } from 'vitest'
import { advance } from '..'
import { decided, movedBy, parked, reportOf } from '../spec/run-fixtures.spec'
import { storedParked } from '../spec/stored.spec'
import { Run } from './run'

describe('a stored run', () => {
  it('is read unchanged and continues', () => {
    const run = Run.parse(JSON.parse(storedParked))
    expect(run).toEqual(JSON.parse(storedParked))
    const { run: approved } = movedBy(advance(run, reportOf(run, decided(1, { outcome: 'approved' }))))
    expect(approved).toMatchObject({ status: 'answered', reason: 'answered.decided', answer: { text: 'Draft 1 [1].' } })
  })

  it('is the whole run: storing and reading lose nothing', () => {
    const { run } = parked()
    expect(Run.parse(JSON.parse(JSON.stringify(run)))).toEqual(run)
  })
})
