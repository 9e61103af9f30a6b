import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { hideStructure, ownTitle } from './document-catalog'

const xmp = (title: string): string =>
  `<rdf:RDF><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title></rdf:RDF>`
const metadata = (number: number, text: string | Buffer, filter = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${String(number)} 0 obj\n<</Type /Metadata /Subtype /XML ${filter}>>\nstream\n`),
    Buffer.from(text),
    Buffer.from('\nendstream\nendobj\n'),
  ])
const catalog = (more: string): Buffer => Buffer.from(`1 0 obj\n<</Type /Catalog /Pages 2 0 R ${more}>>\nendobj\n`)
const file = (...objects: Buffer[]): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), ...objects])

it('takes the title from the metadata that the catalog names, not from those of a picture', () => {
  const both = [metadata(7, xmp('A picture')), metadata(8, xmp('Pipes &amp; pumps'))]
  expect(ownTitle(file(catalog('/Metadata 8 0 R'), ...both))).toBe('Pipes & pumps')
  expect(ownTitle(file(...both))).toBeUndefined()
})

it('reads packed metadata, and the only ones where the catalog is packed', () => {
  expect(ownTitle(file(metadata(8, deflateSync(xmp('Packed')), '/Filter /FlateDecode')))).toBe('Packed')
  expect(ownTitle(file(metadata(8, 'not deflated', '/Filter /FlateDecode')))).toBeUndefined()
})

it('takes the newest of metadata that were written again', () => {
  expect(ownTitle(file(metadata(8, xmp('Old')), catalog('/Metadata 8 0 R'), metadata(8, xmp('New'))))).toBe('New')
})

it('hides the tree of tags in the catalog, and no words that name it elsewhere', () => {
  const text = Buffer.from('4 0 obj\n<<>>\nstream\n(/StructTreeRoot 3 0 R)\nendstream\nendobj\n')
  const bytes = file(catalog('/StructTreeRoot 3 0 R'), text)
  hideStructure(bytes)
  expect(bytes.toString()).toContain('/StructTreeNone 3 0 R>>')
  expect(bytes.toString()).toContain('(/StructTreeRoot 3 0 R)')
  const plain = file(catalog(''))
  hideStructure(plain)
  expect(plain.equals(file(catalog('')))).toBe(true)
})
