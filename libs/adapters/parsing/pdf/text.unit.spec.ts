import { describe, expect, it } from 'vitest'
import { hyphensOf, joinLines } from './text'

const none = hyphensOf([])

describe('joining lines', () => {
  it('makes a word broken at a line end whole', () => {
    expect(joinLines(['a diam nonumy eir-', 'mod tempor'], none)).toBe('a diam nonumy eirmod tempor')
  })

  it('keeps the hyphen of a word that the document writes with one', () => {
    const keeps = hyphensOf(['an application-based rule', 'all application-', 'based logic'])
    expect(joinLines(['all application-', 'based logic'], keeps)).toBe('all application-based logic')
  })

  it('does not take the parts of a broken word for words', () => {
    const keeps = hyphensOf(['rules for manip-', 'ulation of data'])
    expect(joinLines(['rules for manip-', 'ulation of data'], keeps)).toBe('rules for manipulation of data')
  })

  it('keeps the hyphen of names and numbers, and a dash', () => {
    expect(joinLines(['region us-', 'east1'], hyphensOf(['us-east']))).toBe('region us-east1')
    expect(joinLines(['COVID-', '19'], none)).toBe('COVID-19')
    expect(joinLines(['one -', 'two'], none)).toBe('one - two')
  })
})
