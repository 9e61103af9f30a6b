import { describe, expect, it } from 'vitest'
import { passageFinder, sectionsOf } from './highlight-position'

const text = `# Orbits

Mars needs 687 days for
one round.

| planet | days |
| --- | ---: |
| Mercury, the innermost | 88 |
| Venus, the second | 225 |
`
const found = (passage: string): string[] => passageFinder(text)(passage).map(({ from, to }) => text.slice(from, to))

describe('the position of a passage', () => {
  it('is found whatever its white space is', () => {
    expect(found('Mars needs 687 days for one round.')).toEqual(['Mars needs 687 days for\none round.'])
  })

  it('is that of its own rows where a table was cut and its header repeated over rows of another piece', () => {
    expect(found('| planet | days |\n| --- | ---: |\n| Venus, the second | 225 |')).toEqual([
      '| planet | days |',
      '| Venus, the second | 225 |',
    ])
  })

  it('is not guessed', () => {
    expect(found('Jupiter needs 4,333 days for one round.')).toEqual([])
    expect(found('Mercury, the innermost is a planet that none of these rows describes in such words.')).toEqual([])
    expect(passageFinder('one line, twice here\none line, twice here')('one line, twice here\nand another')).toEqual([])
  })
})

it('a long part is shown in pieces and none of it is lost', () => {
  const paragraph = `${'word '.repeat(2_000)}\n\n`
  const sections = sectionsOf([{ text: paragraph.repeat(12) }])
  expect(sections.length).toBeGreaterThan(1)
  expect(
    sections
      .map((section) => section.text)
      .join('')
      .replace(/\s+/g, ' '),
  ).toBe(paragraph.repeat(12).replace(/\s+/g, ' '))
  expect(sectionsOf([{ page: 3, text: 'a' }]).map(({ label }) => label)).toEqual(['Page 3'])
})
