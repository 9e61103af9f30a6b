import type { Block, OfficePackage } from '../ooxml'
import type { XmlNode } from '../xml'
import type { Numbering } from './numbering'
import type { Style } from './styles'

/** A part beside the body, or a piece of one, and where that part points to, by id. */
export type Part = { node: XmlNode; links: Map<string, string> }

/** What reading a document passes around. */
export type Word = {
  file: string
  office: OfficePackage
  styles: { of: (id: string | undefined) => Style | undefined }
  numbering: Numbering
  /** Where the part that is being read points to, by id. */
  links: Map<string, string>
  notes: Map<string, Part>
  /** Notes referred to since the last heading. */
  open: { mark: string; note: Part }[]
  marks: number
  /** 1 where the text has a title of its own, over which no other heading stands. */
  titled: number
}

/** Text of a paragraph, and what is anchored to it: text boxes, charts, pictures that are described. */
export type Inline = { text: string; anchored: Block[] }
