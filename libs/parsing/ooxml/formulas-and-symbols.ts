import { child, childrenOf, val, type XmlNode } from './xml'

const symbolPairs = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), `\\${pair.slice(1)} `])

const symbols = new Map(
  symbolPairs(`
  αalpha βbeta γgamma δdelta εepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho σsigma ςvarsigma τtau υupsilon φphi χchi ψpsi ωomega
  ϵepsilon ϑvartheta ϕphi ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΦPhi ΨPsi ΩOmega ∞infty ∑sum ∏prod ∫int ∬iint ∮oint √sqrt ∂partial ∇nabla
  ±pm ∓mp ×times ÷div ⋅cdot ∙cdot ∗ast ≤leq ≥geq ≠neq ≈approx ≡equiv ∼sim ∝propto ≪ll ≫gg →to ←leftarrow ⇒Rightarrow ⇔Leftrightarrow ↦mapsto
  ∈in ∉notin ⊂subset ⊆subseteq ∪cup ∩cap ∅emptyset ∀forall ∃exists ¬neg ∧wedge ∨vee …ldots ⋯cdots ∘circ ∠angle ⊥perp ∥parallel ℏhbar ⟨langle ⟩rangle`),
)

const accents: Record<string, string> = {
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u20d7': 'vec',
}
const functions =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|sup|inf|det|dim|ker|gcd|arg)$/

const texOf = (text: string): string =>
  [
    ...text.replace(/[\u2100-\u214f\u{1d400}-\u{1d7ff}]/gu, (sign) =>
      symbols.has(sign) ? sign : sign.normalize('NFKC'),
    ),
  ]
    .map((sign) => symbols.get(sign) ?? sign)
    .join('')

const spaced = (text: string): string => text.replace(/ +(?=[ ,.;)\]}^_=+\-/]|$)/g, '')

const delimited = (node: XmlNode, parts: string[]): string => {
  const between = child(node, 'dPr', 'sepChr')
  const inside = parts.join(spaced(texOf(between ? (val(between) ?? '') : '|')))
  const mark = (name: string, standard: string) => {
    const sign = child(node, 'dPr', name)
    const text = sign ? (val(sign) ?? '') : standard
    return text === '' ? '.' : text === '{' || text === '}' ? `\\${text}` : spaced(texOf(text))
  }
  return `\\left${mark('begChr', '(')}${inside}\\right${mark('endChr', ')')}`
}

/** Writes a formula as LaTeX, because language models know LaTeX. */
const mathText = (node: XmlNode | undefined): string => {
  if (!node) return ''
  const part = (name: string): string => spaced(mathText(child(node, name)))
  const parts = (name: string): string[] => childrenOf(node, name).map((one) => spaced(mathText(one)))
  const scripts = (): string =>
    ['sub', 'sup'].map((name, at) => (part(name) === '' ? '' : `${at === 0 ? '_' : '^'}{${part(name)}}`)).join('')
  switch (node.name) {
    case 't':
      return functions.test(node.text.trim()) ? `\\${node.text.trim()} ` : texOf(node.text)
    case 'f':
      return `\\frac{${part('num')}}{${part('den')}}`
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return `${part('e')}${scripts()}`
    case 'sPre':
      return `{}${scripts()}${part('e')}`
    case 'rad':
      return `\\sqrt${part('deg') === '' ? '' : `[${part('deg')}]`}{${part('e')}}`
    case 'nary':
      return `${texOf(val(child(node, 'naryPr', 'chr')) ?? '∫').trim()}${scripts()} ${part('e')}`
    case 'limLow':
      return `${part('e')}_{${part('lim')}}`
    case 'limUpp':
      return `${part('e')}^{${part('lim')}}`
    case 'func':
      return `${part('fName')} ${part('e')}`
    case 'acc':
      return `\\${accents[val(child(node, 'accPr', 'chr')) ?? '\u0302'] ?? 'hat'}{${part('e')}}`
    case 'bar':
      return `\\overline{${part('e')}}`
    case 'd':
      return delimited(node, parts('e'))
    case 'm':
      return `\\begin{matrix}${childrenOf(node, 'mr')
        .map((row) =>
          childrenOf(row, 'e')
            .map((one) => spaced(mathText(one)))
            .join(' & '),
        )
        .join(' \\\\ ')}\\end{matrix}`
    case 'del':
    case 'moveFrom':
      return ''
    case 'eqArr':
      return parts('e').join(' \\\\ ')
    default:
      return node.children.map(mathText).join('')
  }
}

export const formula = (node: XmlNode): string => {
  const lines =
    node.name === 'oMathPara'
      ? childrenOf(node, 'oMath').map((one) => spaced(mathText(one)).trim())
      : [spaced(mathText(node)).trim()]
  const mark = node.name === 'oMathPara' ? '$$' : '$'
  return lines
    .filter((line) => line !== '')
    .map((line) => `${mark}${line}${mark}`)
    .join('\n')
}

const letters = (from: number, signs: string): [number, string][] => [...signs].map((sign, at) => [from + at, sign])

const symbol = new Map([
  ...letters(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
  ...letters(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
  ...letters(0xa2, '′≤⁄∞'),
  ...letters(0xab, '↔←↑→↓°±″≥×∝∂•÷≠≡≈…'),
  ...letters(0xc7, '∩∪⊃⊇⊄⊂⊆∈∉'),
  ...letters(0xd5, '∏√⋅¬∧∨⇔⇐⇑⇒⇓'),
  ...letters(0x2d, '−'),
  ...letters(0x40, '≅'),
  ...letters(0x5e, '⊥'),
  ...letters(0x7e, '∼'),
  ...letters(0x22, '∀'),
  ...letters(0x24, '∃'),
  ...letters(0xd1, '∇'),
  ...letters(0xe5, '∑'),
  ...letters(0xf2, '∫'),
])
const wingdings = new Map([
  ...letters(0xa7, '▪☐'),
  ...letters(0xdf, '←→↑↓'),
  ...letters(0xfb, '✗✓☒☑'),
  ...Object.entries({ 0x6f: '☐', 0xb7: '•', 0xd8: '➢', 0xe8: '→', 0xf0: '⇨' }).map(([code, sign]): [number, string] => [
    Number(code),
    sign,
  ]),
])

const low = (sign: string): number => sign.charCodeAt(0) & 0xff

/** Returns the signs that the fonts Symbol and Wingdings show in place of Latin or private-use characters. */
export const inFont = (text: string, font = ''): string => {
  if (/^symbol\b/i.test(font))
    return text.replace(
      /[\x21-\xff\uf020-\uf0ff]/g,
      (sign) => symbol.get(low(sign)) ?? (low(sign) < 0x7f ? String.fromCharCode(low(sign)) : ''),
    )
  if (!/^wingdings/i.test(font)) return text
  // A character such as `ü` is replaced only if it is alone. Among other letters it may be a real letter.
  const signs = /^\s*[\x80-\xff]\s*$/.test(text) ? /[\x80-\xff]/g : /[\uf020-\uf0ff]/g
  return text.replace(signs, (sign) => wingdings.get(low(sign)) ?? '')
}
