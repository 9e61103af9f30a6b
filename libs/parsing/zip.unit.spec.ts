import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { Unfit } from '@plumbline/ports/document-parser'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { openZip, zipEntries, type ZipLimits } from './zip'

const limits: ZipLimits = { entries: 20, bytes: 5_000_000, ratio: 200, ratioBeyond: 1_000_000 }
const reasonOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return error instanceof Unfit ? error.reason : String(error)
  }
  return 'none'
}

/** Returns a zip with one entry whose stated size is `said`. */
const lying = (content: Uint8Array, said: number, flags = 0, name: Uint8Array = strToU8('a.xml')): Uint8Array => {
  const packed = deflateRawSync(content)
  const local = new DataView(new ArrayBuffer(30))
  local.setUint32(0, 0x04034b50, true)
  local.setUint16(26, name.length, true)
  const entry = new DataView(new ArrayBuffer(46))
  entry.setUint32(0, 0x02014b50, true)
  entry.setUint16(8, flags, true)
  entry.setUint16(10, 8, true)
  entry.setUint32(20, packed.length, true)
  entry.setUint32(24, said, true)
  entry.setUint16(28, name.length, true)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(10, 1, true)
  end.setUint32(16, 30 + name.length + packed.length, true)
  return new Uint8Array(
    Buffer.concat([Buffer.from(local.buffer), name, packed, Buffer.from(entry.buffer), name, Buffer.from(end.buffer)]),
  )
}

describe('a zip', () => {
  it('has names in UTF-8 or, as old programs write them, in code page 437', () => {
    const named = (name: Buffer) => zipEntries(lying(strToU8('x'), 1, 0, name), 'a.zip').map((entry) => entry.name)
    expect(named(Buffer.from('Müller\\ß.txt'))).toEqual(['Müller/ß.txt'])
    expect(named(Buffer.from([0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72]))).toEqual(['Müller'])
  })

  it('gives its parts whatever the case of their names', () => {
    const zip = openZip(
      zipSync({ 'Word/Document.xml': strToU8('hello'), 'stored.txt': [strToU8('as it is'), { level: 0 }] }),
      'a.docx',
    )
    expect(new TextDecoder().decode(zip.read('word/document.xml'))).toBe('hello')
    expect(new TextDecoder().decode(zip.read('stored.txt'))).toBe('as it is')
    expect(zip.read('none.xml')).toBeUndefined()
  })

  it('is refused for more entries than allowed, before reading any', () => {
    const many = zipSync(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.xml`, strToU8('x')])))
    expect(reasonOf(() => openZip(many, 'a.docx', limits))).toBe('bomb')
  })

  it('is refused for what it says it unpacks to, in all and in one entry', () => {
    const noise = () => new Uint8Array(randomBytes(900_000))
    const large = zipSync(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.bin`, noise()])))
    expect(reasonOf(() => openZip(large, 'a.docx', limits))).toBe('bomb')
    expect(reasonOf(() => openZip(zipSync({ 'a.xml': new Uint8Array(2_000_000) }), 'a.docx', limits))).toBe('bomb')
  })

  it('is stopped while it unpacks where its directory lies', () => {
    const zip = openZip(lying(new Uint8Array(3_000_000), 10), 'a.docx', limits)
    expect(reasonOf(() => zip.read('a.xml'))).toBe('bomb')
  })

  it('counts what was unpacked before', () => {
    const zip = openZip(
      zipSync(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.xml`, new Uint8Array(700_000)]))),
      'a.docx',
      { ...limits, bytes: 6_000_000 },
    )
    const again = () => Array.from({ length: 9 }, () => zip.read('0.xml'))
    expect(reasonOf(again)).toBe('bomb')
  })

  it('is refused where it is encrypted, cut off or damaged', () => {
    const fine = zipSync({ 'a.xml': strToU8('some text '.repeat(500)) })
    expect(reasonOf(() => openZip(lying(strToU8('x'), 1, 1), 'a.docx'))).toBe('encrypted')
    expect(reasonOf(() => openZip(fine.subarray(0, fine.length - 30), 'a.docx'))).toBe('truncated')
    const damaged = fine.slice()
    damaged.fill(0xff, 36, 60)
    expect(reasonOf(() => openZip(damaged, 'a.docx').read('a.xml'))).toBe('unreadable')
    const other = zipSync({ 'a.xml': strToU8('<v>1.12</v>') }, { level: 0 })
    other[35 + '<v>1.1'.length] = '9'.charCodeAt(0)
    expect(reasonOf(() => openZip(other, 'a.docx').read('a.xml'))).toBe('unreadable')
  })

  it('lists entries without unpacking them', () => {
    expect(
      zipEntries(zipSync({ 'xl/workbook.xml': strToU8('<a/>') }), 'a').map(({ name, size }) => [name, size]),
    ).toEqual([['xl/workbook.xml', 4]])
  })
})
