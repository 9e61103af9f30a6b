import { describe, expect, it } from 'vitest'
import { carried, fillIn } from './bridge'
import { shortAnswer } from './short-answer'

describe('the short answer', () => {
  it.each([
    ['Who founded Oceanic Films?', 'Oceanic Films was founded by Greta Lindqvist in 1987 [1].', 'Greta Lindqvist'],
    ['When was Oceanic Films founded?', 'Oceanic Films was founded by Greta Lindqvist in 1987 [1].', '1987'],
    ['How many moons does Mars have?', 'Mars has 2 moons, Phobos and Deimos [1][2].', '2'],
    [
      'Who composed the ballet Elverhøj?',
      'Elverhøj ("Elves\' Hill") is a ballet composed by the Danish musician Karl Falk [1].',
      'Karl Falk',
    ],
    [
      'Which state is Fern Mounds located in?',
      'Fern Mounds is a site in Hinds County, Mississippi, dating from 800 [1].',
      'Mississippi',
    ],
    [
      'Which country is Clonbrook in?',
      'Clonbrook is a village in the Demerara-Mahaica region of Guyana [1].',
      'Guyana',
    ],
    [
      'Where was Sarah Sorge born?',
      'Sarah Sorge (born 26 August 1969 in Frankfurt) is a German politician [1].',
      'Frankfurt',
    ],
    ['Which band performs Brother?', '"Brother" is a song by the American rock band Pearl Jam [1].', 'Pearl Jam'],
    ["What is the gas giants' main gas?", 'The main gas of the giants is hydrogen [1].', 'hydrogen'],
    ['Which moon is the brightest?', 'Ganymede is the brightest moon although Callisto is nearer [1].', 'Ganymede'],
    ['Who wrote it?', '', ''],
  ])('%s', (question, answer, short) => expect(shortAnswer(question, answer)).toBe(short))
})

describe('what may be filled in', () => {
  it('is only what the passages hold', () => {
    expect(carried('Who founded Acme?', 'Acme was founded by Ann Lee [1].', ['In 1987 Ann Lee founded Acme.'])).toBe(
      'Ann Lee',
    )
    expect(carried('Who founded Acme?', 'Acme was founded by Ann Lee [1].', ['Acme makes anvils.'])).toBeNull()
    expect(
      carried('Who founded Acme?', 'The documents do not answer the question “Who founded Acme?” [1].', [
        'Acme makes anvils.',
      ]),
    ).toBeNull()
  })
  it('goes into the place that names its step, and into no other', () => {
    expect(fillIn('Is #1 in #12 or #1?', 1, '$& Oslo')).toBe('Is $& Oslo in #12 or $& Oslo?')
    expect(fillIn('Where is it?', 1, 'Oslo')).toBe('Where is it?')
  })
})
