import { format, getFormatDateInfo, getFormatFromId, isDateFormat } from 'numfmt'

/** Formats that a file names by number only; 27 to 36 and 50 to 58 are dates in the Office of East Asia. */
export const builtInFormat = (id: number): string =>
  (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : getFormatFromId(id)

/** As a cell without a format shows a number: what arithmetic left in the last places is not shown. */
const generalText = (value: number): string => {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? value.toFixed(0) : String(value)
  const size = Math.abs(value)
  return size >= 1e-9 && size < 1e15
    ? String(Number(value.toPrecision(11)))
    : value.toExponential(5).replace(/\.?0+e/, 'E')
}

/** Groups of digits that stay empty are left out with what parts them: `# ##0` shows 5 as `5`, not as ` 5`. */
const withoutEmptyGroups = (value: number, code: string): string => {
  const digits = Math.round(Math.abs(value) * (code.includes('%') ? 100 : 1)).toFixed(0).length
  return code.replace(/#+(?:\\.|[^\w#0?.,;%/"\\])(?=[#0])(?!.*\/)/g, (group, at: number, whole: string) => {
    const [places = ''] = whole.slice(at + group.length).split(/[.;]/)
    return digits > places.replace(/[^#0?]/g, '').length ? group : ''
  })
}

/** Day 60 of a 1900 workbook is 29 February, which did not exist. */
const isoText = (value: number, from1904: boolean): string => {
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value
  return new Date(Math.round((days - 25_569) * 86_400) * 1_000).toISOString().replace('T', ' ')
}

/** A number as its cell shows it, but a full date as 2024-06-30 and marks in numbers as in English, whichever country the format is for. */
export const formatNumber = (value: number, code: string, from1904 = false): string => {
  if (code === '' || code === 'General') return generalText(value)
  try {
    const plain = code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, (_, currency: string) => `"${currency}"`)
    const isDate = isDateFormat(plain)
    // Office shows signs in place of what is no date; a count of hours may be negative.
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
