import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { strayAddresses } from './addresses'

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  id: 'p1',
  documentId: 'd',
  collection: 'c',
  title: 'Help',
  text,
  headingPath: [],
  position: 0,
  ...more,
})
const help = passage(
  'Pay at [the desk](https://pay.acme.example/desk) or www.acme.example/help. Write to help@acme.example, ' +
    'get https://acme.example/files/Form.pdf or /srv/acme/readme.md. Use Node.js.',
)
const stray = (text: string) => strayAddresses(text, [help])

describe('addresses', () => {
  it('are known if a passage has the same one, however it is written', () => {
    for (const text of [
      'Pay at [this desk](https://pay.acme.example/desk).',
      'Pay at pay.acme.example/desk!',
      'See https://ACME.example/help/ or <https://www.acme.example/help>.',
      'Write to mailto:help@acme.example.',
      'Read [it](/srv/acme/readme.md), and use Node.js.',
    ])
      expect(stray(text), text).toEqual([])
    expect(strayAddresses('See https://acme.example/a.', [passage('', { url: 'https://acme.example/a' })])).toEqual([])
  })
  it('are known if code writes them over several lines', () => {
    const code = passage('```js\nclient\n  .get("/a", {\n  signal,\n})\n  .then(done)\n```')
    expect(strayAddresses('It is asked by client.get.', [code])).toEqual([])
    expect(strayAddresses('It is asked by client.getAll or other.get.', [code])).toEqual(['client.getAll', 'other.get'])
  })
  it('are stray if they only resemble one of a passage', () => {
    for (const text of [
      'https://pay.acme.example/desk2',
      'acme.exam',
      'https://help@acme.example.evil.test',
      'https://acme.example/files/form.PDF',
      '//acme.example/help/login',
      'elp@acme.example',
    ])
      expect(stray(`Go to ${text} now.`), text).toHaveLength(1)
  })
  it('are recognized in every notation', () => {
    for (const text of [
      '[here](pay)',
      '![x](a.png)',
      '[1]: pay',
      '[desk]: <pay now>',
      '<a class="x" href=pay>here</a>',
      '<img src="//evil.test/x">',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'evil.test',
      'evil[.]test',
      'e\u200bvil.test',
      'evil\\.test/pay',
      'evil&#46;test',
      'ｅｖｉｌ．ｔｅｓｔ',
      'bücher.example',
      'anna@evil.test',
      '@anna_evil',
      'ftp://evil.test',
      '10.1.2.3:8080/pay',
      'setup.exe',
      'C:\\Users\\x.exe',
      '~/.ssh/id',
      'tel:5550100',
    ])
      expect(stray(`Go to ${text} now.`).length + stray(text).length, text).toBeGreaterThan(0)
  })
  it('do not include figures, dates, abbreviations or slashes', () => {
    for (const text of [
      'In 2019-2023 it was 1 234 567, on 2024-03-05 and 05.03.2024.',
      'In 2022 520 tonnes, in 2020 1500 units, by the end of 2024 1200 people, in 2019 2020 and 2021.',
      'That is e.g. 12/2024, i.e. km/h and/or a.m., by the U.S. since 3:1.',
      'Note: 12345678 items (1.5 GB) of v1.2.3 cost 1,234,567.89.',
    ])
      expect(stray(text)).toEqual([])
  })
})
