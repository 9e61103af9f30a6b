import { describe, expect, it } from 'vitest'
import { fileNameOf, ownTitle, titleBesideFile } from './title'

it('the name of a document goes before that of the file it was sent as', () => {
  const source = { kind: 'file' as const, file: 'acme.pdf', bytes: 1 }
  expect(fileNameOf({ source })).toBe('acme.pdf')
  expect(fileNameOf({ name: 'reports/acme.pdf', source })).toBe('reports/acme.pdf')
  expect(fileNameOf({ source: { kind: 'text' } })).toBeUndefined()
})

describe('the name of a file beside a shared title', () => {
  it('follows the title, unless the title is that name', () => {
    expect(titleBesideFile('FORM 10-K', 'acme-2023.pdf')).toBe('FORM 10-K · acme-2023.pdf')
    expect(titleBesideFile('acme-2023.pdf', 'acme-2023.pdf')).toBe('acme-2023.pdf')
  })

  it('is left out of the own title', () => {
    const [title, file] = ['FORM 10-K', 'acme-2023.pdf']
    expect(ownTitle({ title: titleBesideFile(title, file), file })).toBe(title)
    expect(ownTitle({ title, file })).toBe(title)
    expect(ownTitle({ title: 'Tides · Winds' })).toBe('Tides · Winds')
  })
})
