import { Unfit } from '@plumbline/ports/document-parser'
import { describe, expect, it } from 'vitest'
import { below, child, isOn, xmlTree } from './xml'

const treeOf = (text: string) => xmlTree(new TextEncoder().encode(text), 'a.docx')
const reasonOf = (text: string): string => {
  try {
    treeOf(text)
  } catch (error) {
    return error instanceof Unfit ? error.reason : String(error)
  }
  return 'none'
}

describe('XML of an Office file', () => {
  it('removes prefixes of names, except of an id that points to another part', () => {
    const root = treeOf('<w:a xmlns:w="x"><w:b w:val="1" id="2" r:id="rId3">one &amp; two</w:b><c/></w:a>')
    expect(child(root, 'b')).toMatchObject({ attributes: { val: '1', id: '2', 'r:id': 'rId3' }, text: 'one & two' })
    expect(below(root, 'c')).toHaveLength(1)
  })

  it('knows a switch that is off', () => {
    expect(treeOf('<p><b/><i val="0"/><u val="true"/></p>').children.map(isOn)).toEqual([true, false, true])
  })

  it('is read in UTF-16', () => {
    const text = '\ufeff<?xml version="1.0" encoding="UTF-16"?><a>é</a>'
    expect(xmlTree(new Uint8Array(Buffer.from(text, 'utf16le')), 'a.docx').text).toBe('é')
  })

  it('keeps a character cut by a slice whole', () => {
    expect(treeOf(`<a>${'x'.repeat(65_532)}é</a>`).text.at(-1)).toBe('é')
  })

  it('is refused with entities of its own, and too deep', () => {
    expect(reasonOf('<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;">]><a>&c;</a>')).toBe('bomb')
    expect(reasonOf(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`)).toBe('bomb')
  })

  it('is unreadable where it is not well-formed', () => {
    expect(reasonOf('<a><b></a>')).toBe('unreadable')
    expect(reasonOf('<a>&nothing;</a>')).toBe('unreadable')
    expect(reasonOf('<a><b>cut')).toBe('unreadable')
  })

  it('overlooks a control character', () => {
    expect(reasonOf('<a>\u0001</a>')).toBe('none')
  })
})
