import { describe, expect, it } from 'vitest'
import { closedPart, continueShown } from './closed-part'
import { piecesOf } from './pieces'

const drafts = {
  sentences: 'Mars has two moons [1]. Phobos is the larger one, at 22.5 km [2]. Deimos is approx. 12 km wide [2][3].',
  list: 'Mars has two moons [1].\n\nThey are:\n\n- Phobos, the larger one [2]\n- Deimos [3]\n\nBoth were found in 1877 [1].',
  steps:
    '1. Stop the pump [1].\n2. Open the valve [1]. Wait for 5 min. [2]\n3. Drain it [1].\n\nThen call the desk [3].',
  table:
    'The masses are:\n\n| Planet | Mass |\n|---|---|\n| Mars | 0.642 [1] |\n| Venus | 4.87 [1] |\n\nVenus is heavier [1].',
  code: 'Run this command [1]:\n\n```sh\nmake all\nmake test\n```\n\nIt takes a minute [2]. Then it is done [2].',
  codes:
    'It is simple [1].\n\n```\nmake all\n```\n\nThat is all [1]. Or test it [2].\n\n```\nmake test\n```\n\nIt is done [1]. Good [1].',
  signs: '€4 is the price [1]. €6 with a meal [2]. → See the desk [3]. It is open [3].',
  heading: '## Moons\n\nMars has two [1].\n\n## Mass\n\nIt is 0.642 × 10^24 kg [2]. That is little [2].',
  bold: '**Mars** has two moons [1]. **Venus has none** [2].\n\n**Note:** Earth has one [3]. It is large [3].',
  below: 'Mars has two moons.\n[1]\n\nVenus has none.\n[2]\n\nEarth has one [3]. That is all [3].',
  bars: 'Use a | b to join [1]. The sign | means or [1].\n\nName | Age\n---|---\nAda | 36 [1]\n\nAda is the oldest [1]. Yes [1].',
}

describe('the closed part of a draft', () => {
  it.each(Object.entries(drafts))('of %s is the head of the whole at every length', (_, draft) => {
    const whole = piecesOf(draft)
    for (let length = 0; length <= draft.length; length += 1) {
      const { text, ends } = closedPart(draft.slice(0, length))
      expect(draft.startsWith(text)).toBe(true)
      const pieces = piecesOf(text).map(({ text: own, marks, form }) => ({ own, marks, form }))
      expect(pieces).toEqual(whole.slice(0, pieces.length).map(({ text: own, marks, form }) => ({ own, marks, form })))
      expect(ends.at(-1) ?? 0).toBe(text.length)
    }
  })

  it('ends after a sentence when the next one has begun, and never inside a list, a table or code', () => {
    const partsOf = (draft: string): string[] => {
      const seen = new Set<string>()
      for (let length = 0; length <= draft.length; length += 1) seen.add(closedPart(draft.slice(0, length)).text)
      return [...seen].filter((text) => text !== '')
    }
    expect(partsOf(drafts.sentences)).toEqual([
      'Mars has two moons [1].',
      'Mars has two moons [1]. Phobos is the larger one, at 22.5 km [2].',
    ])
    expect(partsOf(drafts.list)).toEqual([
      'Mars has two moons [1].',
      'Mars has two moons [1].\n\nThey are:\n\n- Phobos, the larger one [2]\n- Deimos [3]',
    ])
    expect(partsOf(drafts.table)).toEqual([drafts.table.slice(0, drafts.table.indexOf('\n\nVenus is'))])
    expect(partsOf(drafts.code)).toEqual([
      drafts.code.slice(0, drafts.code.indexOf('\n\nIt takes')),
      drafts.code.slice(0, drafts.code.indexOf(' Then it')),
    ])
    expect(partsOf(drafts.codes).filter((part) => (part.match(/```/g) ?? []).length % 2 > 0)).toEqual([])
    expect(partsOf(drafts.signs)).toContain('€4 is the price [1]. €6 with a meal [2].')
    expect(partsOf(drafts.heading)).toEqual([
      drafts.heading.slice(0, drafts.heading.indexOf('\n\n## Mass')),
      drafts.heading.slice(0, drafts.heading.indexOf(' That is')),
    ])
  })

  it('waits for the citations of a sentence', () => {
    expect(closedPart('Mars has two moons. [').text).toBe('')
    expect(closedPart('Mars has two moons. [1] ').text).toBe('')
    expect(closedPart('Mars has two moons. [1] Phobos is ').text).toBe('Mars has two moons. [1]')
  })
})

describe('a draft that continues what was shown', () => {
  const shown = 'Mars has two moons [1].'
  it('is the draft itself if it begins with the text', () => {
    expect(continueShown(shown, `${shown} They are small [2].`)).toBe(`${shown} They are small [2].`)
  })

  it('puts the text in front, and removes its repetition', () => {
    expect(continueShown(shown, 'They are small [2].')).toBe(`${shown}\n\nThey are small [2].`)
    expect(continueShown(shown, `They are small [2]. ${shown}`)).toBe(`${shown}\n\nThey are small [2].`)
    expect(continueShown(shown, 'Mars has two moons [3].')).toBe(shown)
  })

  it('keeps lines of code and table headers that look like shown ones', () => {
    const block = (name: string): string => `Check ${name} [1]:\n\n\`\`\`\nif (${name}) {\n}\n\`\`\``
    expect(continueShown(block('a'), block('b'))).toBe(`${block('a')}\n\n${block('b')}`)
    expect(continueShown(block('a'), `${block('a')}\n\nDone [1].`)).toBe(`${block('a')}\n\nDone [1].`)
    const table = (year: string): string => `| Year | Sum |\n| --- | --- |\n| ${year} | 5 [1] |`
    expect(continueShown(table('2023'), `So [1].\n\n${table('2024')}`)).toBe(
      `${table('2023')}\n\nSo [1].\n\n${table('2024')}`,
    )
  })

  it('changes neither the meaning nor the citations of the text', () => {
    expect(continueShown(shown, `${shown}\n[2] They are small [2].`)).toBe(`${shown}\n\nThey are small [2].`)
    expect(continueShown(shown, `${shown}\n=====\nThey are small [2].`)).toContain(`${shown}\n\n`)
    expect(continueShown(shown, `${shown} Small [2].\n\n[1]: https://example.com`)).toBe(`${shown}\n\nSmall [2].`)
  })
})
