import { fenced } from '../code/fenced'
import { isElement, isHidden, isText, nameOf } from './elements'
import type { Style } from './inline'
import type { Piece } from './pieces'

const named = /(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?|sourceCode)[-\s:]+([\w+#.-]{1,30})/i

const languageOf = (pre: Element): string => {
  const places = [pre, pre.querySelector('code'), pre.parentElement].filter((place) => place !== null)
  const told = places.map(
    (place) => place.getAttribute('data-lang') ?? named.exec(place.getAttribute('class') ?? '')?.[1] ?? '',
  )
  return told.find((name) => /^[\w+#.-]+$/.test(name)) ?? ''
}

const linesOf = (node: Node): string => {
  if (isText(node)) return node.data
  if (!isElement(node) || isHidden(node)) return ''
  return nameOf(node) === 'br' ? '\n' : [...node.childNodes].map(linesOf).join('')
}

/** Code with its blanks and line ends as they stand. */
export const codeOf = (pre: Element, style: Style): Piece[] => {
  const code = [...pre.childNodes].map(linesOf).join('').replace(/\r\n?/g, '\n')
  if (code.trim() === '') return []
  return style.flat ? [{ kind: 'text', text: code.trim() }] : [{ kind: 'block', text: fenced(code, languageOf(pre)) }]
}
