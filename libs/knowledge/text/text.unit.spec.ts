import { describe, expect, it } from 'vitest'
import { coverage, names, numbers, overlap, requests, sentences, stem, subjectWords, words, years } from './index'

describe('requests', () => {
  it('end with a sentence, not with an initial or a title', () =>
    expect(requests('Of what was Jon L. Luther the head? Who treated Dr. Abe Lind? Also give his age')).toEqual([
      'Of what was Jon L. Luther the head?',
      'Who treated Dr. Abe Lind?',
      'Also give his age',
    ]))
})

describe('words', () => {
  it('brings forms together and leaves out what carries no subject', () => {
    expect(words('The stores stored; storing of stories')).toEqual([
      stem('store'),
      stem('store'),
      stem('store'),
      stem('story'),
    ])
    expect(words('Montréal’s data-center values')).toEqual(words('montreal data center value'))
  })
  it('keeps numbers and identifiers whole', () =>
    expect(words('USER_TYPE is 1.21 in asia-east1, 1,234')).toEqual([
      'user_type',
      '1.21',
      stem('asia'),
      'east1',
      '1234',
    ]))
  it('leaves out what only asks', () =>
    expect(subjectWords('Please retrieve the PUE of Oslo')).toEqual([stem('pue'), stem('oslo')]))
})

describe('sentences', () => {
  it('ends a sentence only where it ends', () =>
    expect(sentences('Dr. A. Smith et al. wrote it, e.g. in 1.5 days. It holds (see Fig. 2). "So?" Yes.')).toEqual([
      'Dr. A. Smith et al. wrote it, e.g. in 1.5 days.',
      'It holds (see Fig. 2).',
      '"So?"',
      'Yes.',
    ]))
  it('keeps citations with their sentence', () =>
    expect(sentences('It was 1.21 [1]. It fell. [2] Nobody knows [1][3].')).toEqual([
      'It was 1.21 [1].',
      'It fell. [2]',
      'Nobody knows [1][3].',
    ]))
  it('lets list items, headings and table lines stand alone', () =>
    expect(sentences('# Head\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\nSoft\nwrap.')).toEqual([
      'Head',
      'one goes on',
      'two',
      '| a | b |',
      '|---|---|',
      'Soft wrap.',
    ]))
})

describe('numbers', () => {
  const seen = (text: string) => numbers(text).map(({ value, unit }) => [value, unit])
  it('reads values with their units', () => {
    expect(seen('12% of 1,234.5 kWh for $5.2 million')).toEqual([
      [12, '%'],
      [1234.5, 'kwh'],
      [5_200_000, '$'],
    ])
    expect(seen('20–30 seconds, 10ms, 113k samples, 50B parameters')).toEqual([
      [20, 's'],
      [30, 's'],
      [10, 'ms'],
      [113_000, ''],
      [50e9, ''],
    ])
    expect(seen('the 2nd of three, twelve percent')).toEqual([
      [2, 'th'],
      [3, ''],
      [12, '%'],
    ])
  })
  it('does not read identifiers, versions of names and citations as numbers', () =>
    expect(seen('asia-east1 GPT-4 H100 [1][2]')).toEqual([]))
})

describe('years', () => {
  it('finds years and nothing else', () =>
    expect(years('In 2019, FY2020 and 1998-2001: 2019 again, 1.2020, $1999, 2000% [2021]')).toEqual([
      '2019',
      '2020',
      '1998',
      '2001',
    ]))
})

describe('names', () => {
  it('finds proper names, acronyms and identifiers', () =>
    expect(names('What does the University of Oslo say about CFE in New York and USER_TYPE? Nothing.')).toEqual([
      'University of Oslo',
      'CFE',
      'New York and USER_TYPE',
    ]))
})

describe('overlap', () => {
  it('counts shared words', () => {
    expect(overlap('stored values', 'value stores')).toBe(1)
    expect(overlap('cats', 'dogs')).toBe(0)
    expect(coverage(words('a cat and a dog'), words('the dog'))).toBe(0.5)
  })
})

describe('sentences that lost the space between them', () => {
  it('are told apart in running text', () =>
    expect(
      sentences(
        'The bell of the old tower rang every hour.Its clapper was cast in Ghent (Belgium).Nobody hears it now.',
      ),
    ).toHaveLength(3))
  it('are not seen in names of code', () => {
    expect(sentences('Call Task.Run before the loop starts and wait.')).toHaveLength(1)
    expect(sentences('In the worker that we wrote, call `Task.Run with the name` once.')).toHaveLength(1)
  })
})
