import { datePattern, dateText } from './date-format'

/** Formats that a file names by number only; 14 to 22 and 45 to 47 are dates and times. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'yyyy-mm-dd',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0);"-"',
  42: '$#,##0;($#,##0);"-"',
  43: '#,##0.00;(#,##0.00);"-"',
  44: '$#,##0.00;($#,##0.00);"-"',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  48: '##0.0E+0',
  49: '@',
}
export const builtInFormat = (id: number): string => builtIn[id] ?? (id >= 27 && id <= 58 ? 'yyyy-mm-dd' : 'General')

type Token = { kind: 'literal' | 'digits' | 'percent' | 'general' | 'text'; text: string }
const pieces =
  /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|(General)|([0#?][0#?.,]*(?:E[+-][0#?]+)?|\.[0#?]+)|(%)|(@)|(.)/giu

const tokensOf = (section: string): Token[] => {
  const found: Token[] = []
  for (const match of section.matchAll(pieces)) {
    const [, quoted, escaped, currency, general, digits, percent, text, plain] = match
    if (digits !== undefined) found.push({ kind: 'digits', text: digits })
    else if (percent !== undefined) found.push({ kind: 'percent', text: '%' })
    else if (general !== undefined) found.push({ kind: 'general', text: '' })
    else if (text !== undefined) found.push({ kind: 'text', text: '' })
    else
      found.push({
        kind: 'literal',
        text: quoted ?? escaped ?? currency ?? plain ?? (match[0].startsWith('_') ? ' ' : ''),
      })
  }
  return found
}

/** As a cell without a format shows a number: what arithmetic left in the last places is not shown. */
const generalText = (value: number): string => {
  if (!Number.isFinite(value)) return ''
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? value.toFixed(0) : String(value)
  const size = Math.abs(value)
  return size >= 1e-9 && size < 1e15
    ? String(Number(value.toPrecision(11)))
    : value.toExponential(5).replace(/\.?0+e/, 'E')
}

const grouped = (whole: string): string => whole.replace(/\B(?=(\d{3})+$)/g, ',')

const plainDigits = (size: number, mask: string): string => {
  const scale = /,+$/.exec(mask.replace(/\.[0#?]*/, ''))?.[0].length ?? 0
  const [wholeMask = '', partMask = ''] = mask.replace(/,+$/, '').split('.')
  const most = partMask.replace(/[^0#?]/g, '').length
  const least = partMask.replace(/[^0]/g, '').length
  const [whole = '0', part = ''] = rounded(size / 1000 ** scale, most).split('.')
  const shown = part.slice(0, least) + part.slice(least).replace(/0+$/, '')
  const padded = whole.padStart(wholeMask.replace(/[^0]/g, '').length, '0')
  const lead = wholeMask.includes('0') || padded !== '0' ? padded : ''
  return `${wholeMask.includes(',') ? grouped(lead) : lead}${shown === '' ? '' : `.${shown}`}`
}

/** By powers of ten, in the number's own notation: no more is lost than the number itself has lost. */
const shifted = (value: number, places: number): number => {
  const [digits = '0', power = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(power) + places}`)
}

/** Rounds what a person would round: 1.005 is stored a little below itself, and shows as 1.01. */
const rounded = (value: number, places: number): string =>
  Math.abs(value) < 1e15
    ? shifted(Math.round(shifted(Number(value.toPrecision(15)), places)), -places).toFixed(Math.min(100, places))
    : value.toFixed(0)

const exponentDigits = (size: number, mask: string): string => {
  const [digits = '0', power = '0'] = mask.split(/E[+-]/i)
  const [mantissa = '0', exponent = '0'] = size.toExponential(digits.split('.')[1]?.length ?? 0).split('e')
  const sign = exponent.startsWith('-') ? '-' : /E\+/i.test(mask) ? '+' : ''
  return `${mantissa}E${sign}${exponent.replace(/^[+-]/, '').padStart(power.length, '0')}`
}

/** The best fraction whose lower part has as many digits as the format gives it. */
const fraction = (size: number, section: string): string => {
  const places = Math.min(3, /\/\s*([?#0]+)/.exec(section)?.[1]?.length ?? 1)
  const fixed = Number(/\/\s*(\d+)/.exec(section)?.[1] ?? 0)
  const mixed = /[#0?]\s+[#0?]+\s*\//.test(section)
  const whole = mixed ? Math.floor(size) : 0
  const rest = size - whole
  const lower = fixed > 0 ? [fixed] : Array.from({ length: 10 ** places - 1 }, (_, at) => at + 1)
  const best = lower.reduce((found, by) =>
    Math.abs(rest - Math.round(rest * by) / by) < Math.abs(rest - Math.round(rest * found) / found) - 1e-12
      ? by
      : found,
  )
  const upper = Math.round(rest * best)
  if (upper === 0) return String(whole)
  if (upper === best && mixed) return String(whole + 1)
  return `${whole > 0 ? `${whole} ` : ''}${upper}/${best}`
}

const numberText = (value: number, section: string): string => {
  const bare = section.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')
  if (/[?#0]\s*\/\s*[?#0\d]/.test(bare)) return fraction(value, bare)
  const tokens = tokensOf(section)
  const size = value * 100 ** tokens.filter(({ kind }) => kind === 'percent').length
  const masks = tokens.filter(({ kind }) => kind === 'digits')
  if (masks.length > 1) return spreadDigits(size, tokens)
  const texts = tokens.map(({ kind, text }) => {
    if (kind === 'general' || kind === 'text') return generalText(size)
    if (kind !== 'digits') return text
    return /E[+-]/i.test(text) ? exponentDigits(size, text) : plainDigits(size, text)
  })
  return texts.join('').trim()
}

/** Digits over several masks, filled from the right up to the decimals: `000-0000`, `# ##0.00`. Between masks that stay empty nothing stands. */
const spreadDigits = (size: number, tokens: Token[]): string => {
  const masks = tokens.flatMap(({ kind, text }, at) => (kind === 'digits' ? [{ at, text }] : []))
  const point = masks.findIndex(({ text }) => text.includes('.'))
  const whole = point < 0 ? masks : masks.slice(0, point + 1)
  const [digits = '', part] = plainDigits(size, (whole.at(-1)?.text ?? '').replace(/^[^.]*/, '#')).split('.')
  const filled = new Map<number, string>()
  let left = digits
  for (const [at, mask] of [...whole.entries()].reverse()) {
    const places = (mask.text.split('.')[0] ?? '').replace(/[^0#?]/g, '')
    const cut = at === 0 ? 0 : Math.max(0, left.length - places.length)
    filled.set(mask.at, left.slice(cut).padStart(places.replace(/[^0]/g, '').length, '0'))
    left = left.slice(0, cut)
  }
  const from = whole.find(({ at }) => filled.get(at) !== '')?.at ?? 0
  const texts = tokens.map(({ kind, text }, at) => {
    if (kind !== 'digits') return at > (masks[0]?.at ?? 0) && at < from ? '' : text
    return `${filled.get(at) ?? ''}${at === whole.at(-1)?.at && part !== undefined ? `.${part}` : ''}`
  })
  return texts.join('').trim()
}

const sectionsOf = (code: string): string[] =>
  code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\])+|(?<=;)(?=;|$)|^(?=;)/g) ?? ['General']

const conditions: Record<string, (value: number, bound: number) => boolean> = {
  '<': (value, bound) => value < bound,
  '>': (value, bound) => value > bound,
  '=': (value, bound) => value === bound,
  '<=': (value, bound) => value <= bound,
  '>=': (value, bound) => value >= bound,
  '<>': (value, bound) => value !== bound,
}

const pick = (value: number, sections: string[]): { section: string; signed: boolean } => {
  for (const section of sections) {
    const [, sign = '', bound = ''] = /^\s*(?:\[[^\]<>=]*\])*\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/.exec(section) ?? []
    if (conditions[sign]?.(value, Number(bound))) return { section, signed: true }
  }
  const [positive = 'General', negative, zero] = sections.filter((section) => !/\[[<>=]/.test(section))
  if (value < 0 && negative !== undefined) return { section: negative, signed: false }
  if (value === 0 && zero !== undefined) return { section: zero, signed: true }
  return { section: positive, signed: true }
}

/** A number as its cell shows it. A full date is written as 2024-06-30 whatever the order of its format, which depends on the country. */
export const formatNumber = (value: number, code: string, from1904 = false): string => {
  if (code === '' || code === 'General') return generalText(value)
  const { section, signed } = pick(value, sectionsOf(code))
  const pattern = datePattern(section)
  if (pattern) return dateText(value, pattern, from1904) ?? generalText(value)
  const text = numberText(Math.abs(value), section)
  return signed && value < 0 && /[1-9]/.test(text) ? `-${text}` : text
}
