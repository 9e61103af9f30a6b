import { posix } from 'node:path'
import { Unfit } from '@plumbline/ports/document-parser'
import { openZip } from '../zip'
import { child, childrenOf, xmlTree, type XmlNode } from './xml'

export type Relation = { id: string; type: string; target: string; external: boolean }

export type OfficePackage = {
  bytes: (path: string) => Uint8Array | undefined
  part: (path: string) => XmlNode | undefined
  relations: (path: string) => Relation[]
  main: string
  title?: string
}

const relationOf = (from: string, { attributes }: XmlNode): Relation => {
  const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes
  const external = mode === 'External'
  const path = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)
  return { id, type: type.slice(type.lastIndexOf('/') + 1), target: external ? target : path, external }
}

export const openOffice = (file: Uint8Array, name: string): OfficePackage => {
  const zip = openZip(file, name)
  const part = (path: string): XmlNode | undefined => {
    const bytes = zip.read(path)
    return bytes && xmlTree(bytes, name)
  }
  const relations = (path: string): Relation[] =>
    childrenOf(part(posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)), 'Relationship').map(
      (node) => relationOf(path, node),
    )
  const roots = relations('')
  const main = roots.find(({ type }) => type === 'officeDocument')?.target
  if (main === undefined || !zip.has(main))
    throw new Unfit(
      'unreadable',
      `${name} is a zip file, but contains no document, presentation or workbook. Unpack the archive and upload its documents.`,
    )
  const core = roots.find(({ type }) => type === 'core-properties')?.target
  const title = child(core === undefined ? undefined : part(core), 'title')?.text.trim() ?? ''
  return { bytes: zip.read, part, relations, main, ...(title !== '' && { title }) }
}
