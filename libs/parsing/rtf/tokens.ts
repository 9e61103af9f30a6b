import { Unfit } from '@plumbline/ports/document-parser'
import { codepage, codepageOfCharset } from './codepages'
import { openPage, type Paragraph } from './page'

/** As the tokenizer gives them: the begin and the end of a group, a word with its number, and text. */
export type Token = { type: 0 | 1 | 2 | 3; word?: string; param?: number; data?: Uint8Array }

/** Where the text of a group goes. */
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

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** Groups that hold settings, pictures, or what stands in the margins of every page. */
const apart = setOf(
  'fonttbl colortbl pict object themedata colorschememapping datastore latentstyles listtable listoverridetable header headerl headerr headerf footer footerl footerr footerf fldinst filetbl revtbl info nonesttables sn sv atnid atnauthor atrfstart atrfend',
)
/** Groups that old programs may pass over and that hold text all the same. */
const told = setOf('shptxt shpinst fldinst annotation')
const signs: Readonly<Record<string, string>> = {
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
}

const deepest = 500

/** Takes the tokens of an RTF file one after another and writes what they say. */
export const readTokens = (file: string) => {
  let group: Group = { goes: 'text', font: -1, hidden: false, raised: false, afterCode: 1, style: -1, note: false }
  const outer: Group[] = []
  let page = openPage(file)
  const pages: { page: typeof page; paragraph: Paragraph; kind: string }[] = []
  const notes: string[] = []
  const fonts = new Map<number, string>()
  const headings = new Map<number, number>()
  let paragraph: Paragraph = { inTable: false }
  let shapes: { beside: boolean; above: boolean }[] = []
  let shape = { beside: false, above: false }
  let [usual, bytes, skip, starred, first, fontInTable, styleName, title] = [
    'windows-1252',
    [] as number[],
    0,
    false,
    false,
    -1,
    '',
    '',
  ]

  const put = (text: string): void => {
    if (group.goes === 'label') paragraph.label = (paragraph.label ?? '') + text
    else if (group.goes === 'title') title += text
    else if (group.goes === 'style') styleName += text
    else if (group.goes === 'text' && !group.hidden) page.add(text, group.raised)
  }
  /** Characters of several bytes may be written in several tokens. */
  const putBytes = (): void => {
    if (bytes.length === 0) return
    put(new TextDecoder(fonts.get(group.font) ?? usual).decode(Uint8Array.from(bytes)))
    bytes = []
  }
  const takeBytes = (data: Uint8Array): void => {
    const from = Math.min(skip, data.length)
    skip -= from
    if (group.goes !== 'nowhere') for (const byte of data.subarray(from)) bytes.push(byte)
  }
  const beginNote = (kind: string): void => {
    group.note = true
    group.goes = 'text'
    pages.push({ page, paragraph, kind })
    page = openPage(file)
    paragraph = { inTable: false }
  }
  const endNote = (): void => {
    const before = pages.pop()
    if (!before) return
    const text = page.text(paragraph).replace(/\s+/g, ' ').trim()
    ;({ page, paragraph } = before)
    if (text === '') return
    notes.push(`[^${notes.length + 1}]: ${before.kind === 'annotation' ? 'Comment: ' : ''}${text}`)
    page.add(`[^${notes.length}]`, false)
  }
  const endGroup = (): void => {
    if (group.goes === 'style' && group.style >= 0) {
      const level = /^heading ?(\d)/i.exec(styleName.trim())?.[1]
      if (level !== undefined) headings.set(group.style, Number(level))
      if (/^title;/i.test(styleName.trim())) headings.set(group.style, 1)
    }
    styleName = ''
    if (group.note) endNote()
    group = outer.pop() ?? group
  }
  /** The first word of a group may say what it holds. */
  const destination = (word: string): boolean => {
    if (word === 'footnote' || word === 'annotation') beginNote(word)
    else if (word === 'stylesheet') group.goes = 'style'
    else if (word === 'listtext' || word === 'pntext') group.goes = 'label'
    else if (word === 'title' && outer.at(-1)?.goes === 'nowhere') group.goes = 'title'
    else if (word === 'shptxt') group.goes = 'text'
    else if (apart.has(word) || word === 'shpinst' || (starred && !told.has(word))) group.goes = 'nowhere'
    else return false
    return true
  }
  const settings: Record<string, (param: number | undefined) => void> = {
    ansicpg: (param = 1252) => (usual = codepage(param)),
    mac: () => (usual = 'macintosh'),
    f: (param = 0) => {
      group.font = param
      fontInTable = param
    },
    fcharset: (param = 0) => {
      const found = codepageOfCharset(param)
      if (found !== undefined) fonts.set(fontInTable, found)
    },
    uc: (param = 1) => (group.afterCode = param),
    u: (param = 0) => {
      put(String.fromCharCode(param < 0 ? param + 65_536 : param))
      skip = group.afterCode
    },
    v: (param = 1) => (group.hidden = param !== 0),
    deleted: (param = 1) => (group.hidden = param !== 0),
    super: (param = 1) => (group.raised = param !== 0),
    nosupersub: () => (group.raised = false),
    plain: () => (group = { ...group, hidden: false, raised: false }),
    pard: () => (paragraph = { inTable: false, ...(paragraph.label !== undefined && { label: paragraph.label }) }),
    s: (param = 0) => {
      group.style = param
      const heading = headings.get(param)
      if (heading !== undefined && group.goes === 'text') paragraph.heading = heading
    },
    outlinelevel: (param = 9) => {
      if (param < 9 && group.goes === 'text') paragraph.heading = param + 1
    },
    ilvl: (param = 0) => (paragraph.level = param),
    intbl: () => (paragraph.inTable = true),
    par: () => {
      if (group.goes !== 'text') return
      page.endParagraph(paragraph)
      paragraph = { ...paragraph, label: undefined } as Paragraph
      delete paragraph.label
    },
    cell: () => page.endCell(),
    trowd: () => (shapes = []),
    clmrg: () => (shape.beside = true),
    clvmrg: () => (shape.above = true),
    cellx: () => {
      shapes.push(shape)
      shape = { beside: false, above: false }
    },
    row: () => page.endRow(shapes),
  }
  settings['sect'] = settings['page'] = settings['par'] as () => void
  const control = ({ word = '', param, data }: Token): void => {
    if (word === "'" && data) return takeBytes(data)
    putBytes()
    if (word === '*') return void (starred = true)
    const isDestination = first && destination(word)
    ;[first, starred] = [false, false]
    if (isDestination) return
    const sign = signs[word]
    if (sign !== undefined) return skip > 0 ? void (skip -= 1) : put(sign)
    skip = 0
    settings[word]?.(param)
  }
  return {
    take: (token: Token): void => {
      if (token.type === 2) return control(token)
      if (token.type === 3) {
        first = false
        return takeBytes(token.data ?? new Uint8Array())
      }
      putBytes()
      skip = 0
      if (token.type === 1) return endGroup()
      outer.push(group)
      group = { ...group, note: false }
      first = true
      if (outer.length > deepest)
        throw new Unfit(
          'bomb',
          `${file} nests its groups more than ${deepest} deep. It was not read. Save it again in the program that made it.`,
        )
    },
    /** `open`: whether the file ends before its groups do. */
    end: (): { title: string; text: string; open: boolean } => {
      putBytes()
      const open = outer.length > 0
      while (pages.length > 0) endNote()
      const text = [page.text(paragraph), ...notes].filter((part) => part !== '').join('\n\n')
      return { title: title.trim(), text, open }
    },
  }
}
