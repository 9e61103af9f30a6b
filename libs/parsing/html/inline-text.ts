import { mathmlText, type MathNode } from '../mathml'
import { superscript } from '../superscript'
import { isElement, isHidden, isText, nameOf } from './dom'

/** `marks`: emphasis and code are written as Markdown. `flat`: all text is on one line, as in a table cell. */
export type Style = { marks: boolean; flat: boolean }

type Run = { text: string; mark: string }

const marksOf: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  var: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
  code: '`',
  kbd: '`',
  samp: '`',
  tt: '`',
}
const invisible = /[\u00ad\u200b\u2060\ufeff]/g
const wordEnd = /[\p{L}\p{N}]$/u
const wordStart = /^[\p{L}\p{N}]/u

const altOf = (image: Element): string => {
  const alt = (image.getAttribute('alt') ?? '').trim()
  return alt === '' ? '' : ` ${alt} `
}

/** E-books may mark the number of a note by an attribute instead of `<sup>`. */
const isNoteMark = (element: Element): boolean =>
  element.getAttribute('epub:type') === 'noteref' || element.getAttribute('role') === 'doc-noteref'

const mathNode = (node: Node): MathNode => ({
  name: isElement(node) ? nameOf(node) : '',
  text: isText(node) ? node.data : '',
  children: [...node.childNodes].map(mathNode),
})

const mathOf = (math: Element): string =>
  (
    math.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
    math.getAttribute('alttext') ??
    mathmlText(mathNode(math))
  ).trim()

const elementRun = (element: Element, before: string, style: Style, active: ReadonlySet<string>): Run => {
  const name = nameOf(element)
  const plain = (text: string): Run => ({ text, mark: '' })
  if (name === 'br') return plain('\n')
  if (name === 'wbr') return plain('')
  if (name === 'img') return plain(altOf(element))
  if (name === 'math') return plain(mathOf(element))
  const mark = style.marks ? (marksOf[name] ?? '') : ''
  const inner = runsOf(element.childNodes, style, mark === '' ? active : new Set([...active, mark]), before)
  if (name === 'sup' || isNoteMark(element)) return plain(superscript(inner, before))
  if (name === 'q') return plain(`“${inner.trim()}”`)
  if (name === 'rt') return plain(` (${inner.trim()})`)
  const bare =
    mark === '' || active.has(mark) || active.has('`') || inner.includes('\n') || (mark === '`' && inner.includes('`'))
  return { text: inner, mark: bare ? '' : mark }
}

/** Adds emphasis marks, but not inside a word, because Markdown does not treat them as emphasis there. */
const marked = ({ text, mark }: Run, before: string, after: string): string => {
  if (mark === '') return text
  const [, lead = '', inner = '', trail = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  const inWord = (lead === '' && wordEnd.test(before)) || (trail === '' && wordStart.test(after))
  return inner === '' || (inWord && mark !== '`') ? text : `${lead}${mark}${inner}${mark}${trail}`
}

const runsOf = (nodes: Iterable<Node>, style: Style, active: ReadonlySet<string>, before: string): string => {
  const runs: Run[] = []
  let last = before
  for (const node of nodes) {
    const run = isText(node)
      ? { text: node.data.replace(invisible, '').replace(/\s+/g, ' '), mark: '' }
      : isElement(node) && !isHidden(node)
        ? elementRun(node, last, style, active)
        : null
    if (!run || run.text === '') continue
    runs.push(run)
    last = run.text
  }
  let text = ''
  runs.forEach((run, at) => {
    text += marked(run, text === '' ? before : text.slice(-2), runs[at + 1]?.text.slice(0, 2) ?? '')
  })
  return text
}

export const inlineText = (nodes: Iterable<Node>, style: Style): string =>
  runsOf(nodes, style, new Set(), '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join(style.flat ? ' ' : '\n')
