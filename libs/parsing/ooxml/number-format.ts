import { format, getFormatDateInfo, getFormatFromId, isDateFormat } from 'numfmt'

/** In East Asian versions of Office, ids 27 to 36 and 50 to 58 are date formats. */
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

/** With empty digit groups, the format `# ##0` would show 5 as ` 5`. */
const withoutEmptyGroups = (value: number, code: string): string => {
  const digits = Math.round(Math.abs(value) * (code.includes('%') ? 100 : 1)).toFixed(0).length
  return code.replace(/#+(?:\\.|[^\w#0?.,;%/"\\])(?=[#0])(?!.*\/)/g, (group, at: number, whole: string) => {
    const [places = ''] = whole.slice(at + group.length).split(/[.;]/)
    return digits > places.replace(/[^#0?]/g, '').length ? group : ''
  })
}

/** The 1900 date system has a 29 February 1900, so days below 60 are shifted. */
const isoText = (value: number, from1904: boolean): string => {
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value
  return new Date(Math.round((days - 25_569) * 86_400) * 1_000).toISOString().replace('T', ' ')
}

/** Numbers look as in Excel, but with English separators for every country. Full dates are `2024-06-30`. */
export const formatNumber = (value: number, code: string, from1904 = false): string => {
  if (code === '' || code === 'General') return generalText(value)
  try {
    const plain = code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, currency: string) => `"${currency}"`)
    const isDate = isDateFormat(plain)
    // A duration in hours may be negative, but a date may not.
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
