import { Unfit } from '@plumbline/ports/document-parser'
import { blocksText, marginBlocks } from '../ooxml/blocks'
import { codepage, codepageOfCharset } from './codepages'
import { Notes } from './notes'
import { Page, type CellShape } from './page'

/** Type 0 begins a group, and type 1 ends it. Type 2 is a control word with its number, and type 3 is text. */
export type Token = { type: 0 | 1 | 2 | 3; word?: string; param?: number; data?: Uint8Array }

/** The destination of a group's text. Text with the destination `nowhere` is dropped. */
type Goes = 'text' | 'label' | 'title' | 'style' | 'nowhere'
type Group = {
  goes: Goes
  font: number
  hidden: boolean
  raised: boolean
  afterCode: number
  style: number
  note: boolean
}
type Settings = Record<string, (param: number | undefined) => void>

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** Groups that contain settings, pictures or other data instead of text. */
const apart = setOf(
  'fonttbl colortbl pict object themedata colorschememapping datastore latentstyles listtable listoverridetable fldinst filetbl revtbl info nonesttables sn sv atnid atnauthor atrfstart atrfend',
)
const aside = setOf('footnote annotation header headerl headerr headerf footer footerl footerr footerf')
/** These groups can contain text, although the file marks them as optional. */
const textDestinations = setOf('shptxt shpinst fldinst annotation')
const signs = new Map(
  Object.entries({
    tab: '\t',
    line: '\n',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    endash: '–',
    emdash: '—',
    bullet: '•',
    emspace: ' ',
    enspace: ' ',
    '~': '\u00a0',
    _: '-',
    '{': '{',
    '}': '}',
    '\\': '\\',
    nestcell: ' ',
    nestrow: '\n',
  }),
)

const deepest = 500

export class RtfReader {
  private group: Group = { goes: 'text', font: -1, hidden: false, raised: false, afterCode: 1, style: -1, note: false }
  private readonly outer: Group[] = []
  private page: Page
  private readonly notes = new Notes()
  private title = ''
  private styleName = ''
  private readonly headings = new Map<number, number>()
  private readonly fonts = new Map<number, string>()
  private fontInTable = -1
  private usual = 'windows-1252'
  private bytes: number[] = []
  /** The number of next characters to skip, because they repeat the previous character for old programs. */
  private skip = 0
  private starred = false
  private first = false
  private shapes: CellShape[] = []
  private shape: CellShape = { beside: false, above: false }

  constructor(private readonly file: string) {
    this.page = new Page(file)
  }

  take(token: Token): void {
    if (token.type === 2) return this.control(token)
    if (token.type === 3) {
      this.first = false
      return this.takeBytes(token.data ?? new Uint8Array())
    }
    this.putBytes()
    this.skip = 0
    if (token.type === 1) this.endGroup()
    else this.beginGroup()
  }

  /** `open` is true if the file ends inside a group. */
  end(): { title: string; text: string; open: boolean } {
    this.putBytes()
    while (this.notes.areOpen) this.endNote()
    const margins = blocksText(marginBlocks(this.notes.margins))
    const text = [margins, this.page.text(), ...this.notes.texts].filter((part) => part !== '').join('\n\n')
    return { title: this.title.trim(), text, open: this.outer.length > 0 }
  }

  private readonly characterSettings: Settings = {
    ansicpg: (param = 1252) => (this.usual = codepage(param)),
    mac: () => (this.usual = 'macintosh'),
    f: (param = 0) => {
      this.group.font = param
      this.fontInTable = param
    },
    fcharset: (param = 0) => {
      const found = codepageOfCharset(param)
      if (found !== undefined) this.fonts.set(this.fontInTable, found)
    },
    uc: (param = 1) => (this.group.afterCode = param),
    u: (param = 0) => {
      this.put(String.fromCharCode(param < 0 ? param + 65_536 : param))
      this.skip = this.group.afterCode
    },
    v: (param = 1) => (this.group.hidden = param !== 0),
    deleted: (param = 1) => (this.group.hidden = param !== 0),
    super: (param = 1) => (this.group.raised = param !== 0),
    nosupersub: () => (this.group.raised = false),
    plain: () => {
      this.group.hidden = false
      this.group.raised = false
    },
  }
  private readonly paragraphSettings: Settings = {
    pard: () => {
      // Inside a label of a list item, this word resets only the format of the label.
      if (this.group.goes !== 'label') this.page.paragraph = { inTable: false, label: this.page.paragraph.label }
    },
    s: (param = 0) => {
      this.group.style = param
      const heading = this.headings.get(param)
      if (heading !== undefined && this.group.goes === 'text') this.page.paragraph.heading = heading
    },
    outlinelevel: (param = 9) => {
      if (param < 9 && this.group.goes === 'text') this.page.paragraph.heading = param + 1
    },
    ilvl: (param = 0) => (this.page.paragraph.level = param),
    intbl: () => (this.page.paragraph.inTable = true),
    par: () => this.endParagraph(),
    sect: () => this.endParagraph(),
    page: () => this.endParagraph(),
  }
  private readonly tableSettings: Settings = {
    cell: () => this.page.endCell(),
    trowd: () => (this.shapes = []),
    clmrg: () => (this.shape.beside = true),
    clvmrg: () => (this.shape.above = true),
    cellx: () => {
      this.shapes.push(this.shape)
      this.shape = { beside: false, above: false }
    },
    row: () => this.page.endRow(this.shapes),
  }
  private readonly settings = new Map(
    Object.entries({ ...this.characterSettings, ...this.paragraphSettings, ...this.tableSettings }),
  )

  private control({ word = '', param, data }: Token): void {
    if (word === "'" && data) return this.takeBytes(data)
    this.putBytes()
    if (word === '*') {
      this.starred = true
      return
    }
    const isDestination = this.first && this.destination(word)
    this.first = false
    this.starred = false
    if (isDestination) return
    const sign = signs.get(word)
    if (sign === undefined) {
      this.skip = 0
      this.settings.get(word)?.(param)
    } else if (this.skip > 0) this.skip -= 1
    else this.put(sign)
  }

  private destination(word: string): boolean {
    const { group, outer, starred } = this
    if (aside.has(word)) this.beginNote(word)
    else if (word === 'stylesheet') group.goes = 'style'
    else if (word === 'listtext' || word === 'pntext') group.goes = 'label'
    else if (word === 'title' && outer.at(-1)?.goes === 'nowhere') group.goes = 'title'
    else if (word === 'shptxt') group.goes = 'text'
    else if (apart.has(word) || word === 'shpinst' || (starred && !textDestinations.has(word))) group.goes = 'nowhere'
    else return false
    return true
  }

  private beginGroup(): void {
    this.outer.push(this.group)
    this.group = { ...this.group, note: false }
    this.first = true
    if (this.outer.length > deepest)
      throw new Unfit(
        'bomb',
        `${this.file} nests its groups more than ${deepest} levels deep, so it was not read. Save the document again in the program that created it.`,
      )
  }

  private endGroup(): void {
    const { goes, style, note } = this.group
    const name = this.styleName.trim()
    if (goes === 'style' && style >= 0) {
      const level = /^heading ?(\d)/i.exec(name)?.[1]
      if (level !== undefined) this.headings.set(style, Number(level))
      if (/^title;/i.test(name)) this.headings.set(style, 1)
    }
    this.styleName = ''
    if (note) this.endNote()
    this.group = this.outer.pop() ?? this.group
  }

  private beginNote(kind: string): void {
    this.group.note = true
    this.group.goes = 'text'
    this.notes.begin(kind, this.page)
    this.page = new Page(this.file)
  }

  private endNote(): void {
    this.page = this.notes.end(this.page)
  }

  private endParagraph(): void {
    if (this.group.goes !== 'text') return
    this.page.endParagraph()
    this.page.paragraph.label = undefined
  }

  private takeBytes(data: Uint8Array): void {
    const from = Math.min(this.skip, data.length)
    this.skip -= from
    if (this.group.goes !== 'nowhere') for (const byte of data.subarray(from)) this.bytes.push(byte)
  }

  /** Decodes the bytes of several tokens together, because a multi-byte character may be split between tokens. */
  private putBytes(): void {
    if (this.bytes.length === 0) return
    this.put(new TextDecoder(this.fonts.get(this.group.font) ?? this.usual).decode(Uint8Array.from(this.bytes)))
    this.bytes = []
  }

  private put(text: string): void {
    const { page, group } = this
    if (group.goes === 'label') page.paragraph.label = (page.paragraph.label ?? '') + text
    else if (group.goes === 'title') this.title += text
    else if (group.goes === 'style') this.styleName += text
    else if (group.goes === 'text' && !group.hidden) page.add(text, group.raised)
  }
}
