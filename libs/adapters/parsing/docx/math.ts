import type { XmlNode } from '../xml'
import { child, childrenOf, val } from '../xml'

const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`)

/** A formula in one line, as a person would type it. */
export const mathText = (node: XmlNode | undefined): string => {
  const part = (name: string): string => mathText(child(node, name))
  if (!node) return ''
  switch (node.name) {
    case 't':
      return node.text
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`
    case 'sSup':
      return `${part('e')}^${grouped(part('sup'))}`
    case 'sSub':
      return `${part('e')}_${grouped(part('sub'))}`
    case 'sSubSup':
      return `${part('e')}_${grouped(part('sub'))}^${grouped(part('sup'))}`
    case 'rad':
      return `√${part('deg') === '' ? '' : `[${part('deg')}]`}(${part('e')})`
    case 'nary':
      return `${val(child(node, 'naryPr', 'chr')) ?? '∫'}${part('sub') === '' ? '' : `_${grouped(part('sub'))}`}${part('sup') === '' ? '' : `^${grouped(part('sup'))}`} ${part('e')}`
    case 'd':
      return `${val(child(node, 'dPr', 'begChr')) ?? '('}${childrenOf(node, 'e').map(mathText).join(', ')}${val(child(node, 'dPr', 'endChr')) ?? ')'}`
    default:
      return node.children.map(mathText).join('')
  }
}
