import type { Block, OfficePackage } from '../ooxml'
import type { XmlNode } from '../xml'
import type { Numbering } from './numbering'
import type { Style } from './styles'

/** What reading a document passes around. */
export type Word = {
  file: string
  office: OfficePackage
  styles: { of: (id: string | undefined) => Style | undefined }
  numbering: Numbering
  /** Where the part that is being read points to, by id. */
  links: Map<string, string>
  notes: Map<string, XmlNode>
  /** Notes referred to since the last heading. */
  open: { mark: string; note: XmlNode }[]
  marks: number
  /** 1 where the text has a title of its own, over which no other heading stands. */
  titled: number
}

/** Text of a paragraph, and what is anchored to it: text boxes, charts, pictures that are described. */
export type Inline = { text: string; anchored: Block[] }
