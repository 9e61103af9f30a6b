import { format, getFormatDateInfo, getFormatFromId, isDateFormat } from 'numfmt'

/** Returns the format with this id. In East Asian versions of Office, ids 27 to 36 and 50 to 58 are date formats. */
export const builtInFormat = (id: number): string =>
  (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : getFormatFromId(id)

/** Rounds to 11 digits, as Excel does, to hide rounding errors. */
const generalText = (value: number): string => {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? value.toFixed(0) : String(value)
  const size = Math.abs(value)
  return size >= 1e-9 && size < 1e15
    ? String(Number(value.toPrecision(11)))
    : value.toExponential(5).replace(/\.?0+e/, 'E')
}

/** Removes digit groups that the number does not reach. Otherwise, the format `# ##0` would show 5 as ` 5`. */
const withoutEmptyGroups = (value: number, code: string): string => {
  const digits = Math.round(Math.abs(value) * (code.includes('%') ? 100 : 1)).toFixed(0).length
  return code.replace(/#+(?:\\.|[^\w#0?.,;%/"\\])(?=[#0])(?!.*\/)/g, (group, at: number, whole: string) => {
    const [places = ''] = whole.slice(at + group.length).split(/[.;]/)
    return digits > places.replace(/[^#0?]/g, '').length ? group : ''
  })
}

/** Converts an Excel day number to a date. Excel counts 29 February 1900, which did not exist: earlier days get 1 more. */
const isoText = (value: number, from1904: boolean): string => {
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value
  return new Date(Math.round((days - 25_569) * 86_400) * 1_000).toISOString().replace('T', ' ')
}

/** Writes a number as Excel shows it, but with English separators. Full dates are written as `2024-06-30`. */
export const formatNumber = (value: number, code: string, from1904 = false): string => {
  if (code === '' || code === 'General') return generalText(value)
  try {
    const plain = code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, currency: string) => `"${currency}"`)
    const isDate = isDateFormat(plain)
    // A duration in hours can be negative, but a date cannot.
    if (isDate && (value >= 2_958_466 || (value < 0 && !/\[[hms]/i.test(plain)))) return generalText(value)
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(plain)
    if (year && month && day) return isoText(value, from1904).slice(0, seconds ? 19 : hours || minutes ? 16 : 10)
    if (isDate) return format(plain, from1904 ? value + 1462 : value).trim()
    const text = format(withoutEmptyGroups(value, plain), value).trim()
    return text
      .replace(/^-(?=\D*\d)(?!.*[1-9])/, '')
      .replace(/^-\s+/, '-')
      .replace(/(\d|^)\.(?!\d)/, '$1')
  } catch {
    return generalText(value)
  }
}
