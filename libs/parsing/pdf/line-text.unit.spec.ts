import { describe, expect, it } from 'vitest'
import { hyphensOf, isCaption, isMarker, isValue, itemOf, joinLines } from './line-text'

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

it('tells the marks of items from text', () => {
  expect(['•', '-', '1.', '(a)', 'iv)'].map(isMarker)).toEqual([true, true, true, true, true])
  expect(['2019', 'A', 'Oslo', '12'].map(isMarker)).toEqual([false, false, false, false])
  expect(itemOf('• first thing')).toEqual({ mark: '-', rest: 'first thing' })
  expect(itemOf('2) second thing')).toEqual({ mark: '2)', rest: 'second thing' })
  expect(itemOf('2019 was a year')).toBeNull()
  expect(itemOf('•')).toBeNull()
})

it('tells values from words', () => {
  expect(['12.5', '(804.1)', '14.90 €', '5 mA', '-'].map(isValue)).not.toContain(false)
  expect(['none', 'M4 bolts', '2024 and on'].map(isValue)).not.toContain(true)
})

it('tells captions from titles and sentences', () => {
  expect(
    ['Table 1. Sales', 'TABLE II. Sales', 'Figure 3-1   Masks', 'Table A.1 Sales', 'Fig. 2: Flow'].map(isCaption),
  ).not.toContain(false)
  expect(['Table of Contents', 'Tables are good', 'The table 1', 'Example of use'].map(isCaption)).not.toContain(true)
})
