import type { Cell, Part } from '@plumbline/knowledge/tables'
import { attributesOf, hasKeys, isNumeric, keysOfRow, labelsOf, metricsOf, rowName } from '@plumbline/knowledge/tables'
import { stem, words } from '@plumbline/knowledge/text'
import { maybeNoun, verbForms } from '../wording/verbs'

const bare = (text: string): string =>
  text
    .replace(/\b(?:FY\s?)?(?:1[5-9]|20|21)\d\d\b/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,:–-]+|[\s,:–-]+$/g, '')
const plainHeader = /^(?:values?|amounts?|figures?|numbers?|data|results?|total)?$/i

/** `Table 4. Grid intensity (g/kWh) by region: Europe` is about `Grid intensity (g/kWh)`. */
const subjectOf = (caption: string): string =>
  bare(
    caption
      .replace(/^[*_]*(?:table|tab\.|exhibit)\s*[\d.A-Z-]*[.:)]?\s*/i, '')
      .split(/\s+by\s+|:\s|\s+per\s+(?=\w+$)|;\s/)[0] ?? '',
  )

const askedWords = (part: Part): string =>
  part.metric
    .filter(({ weight }) => weight >= 1)
    .map(({ raw }) => raw)
    .join(' ')

/** What a cell measures, in the table's own words where they are short enough, else in the question's. */
export const measureName = ({ table, row, column }: Cell, part: Part): string => {
  const metrics = metricsOf(table, row).join(', ')
  const header = bare(table.columns[column]?.header ?? '')
  const caption = subjectOf(table.name)
  if (metrics !== '') return plainHeader.test(header) ? metrics : `${metrics} (${header})`
  if (!plainHeader.test(header)) return header
  return caption.length > 70 || caption === '' ? askedWords(part) || caption || 'The value' : caption
}

/** A row's name, with what tells it from another row of the same name. */
export const rowTitle = ({ table, row }: Cell, part: Part): string => {
  const name = rowName(table, row)
  const twice = table.rows.filter((_, other) => rowName(table, other) === name).length > 1
  if (!twice) return name
  const more = [...labelsOf(table, row).slice(1), ...attributesOf(table, row)]
  const named = more.filter((text) =>
    part.label.some(({ tokens }) => words(text).some((word) => tokens.includes(stem(word)))),
  )
  const told = [...(named.length > 0 ? named : more), ...keysOfRow(table, row)].join(', ')
  return told === '' ? name : `${name} (${told})`
}

/** A name that goes on in capitals begins as it is written: `pH`. */
const opening = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)
/** A header inside a sentence: `Mean radius` loses its capital, `PUE` does not. */
export const inside = (text: string): string =>
  /^\p{Lu}\p{Ll}+(?:$|[\s(-])/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
/** `Discovered by`, `Arrived (year)`: what happened to the row rather than a property of it. */
const happened = (header: string): boolean =>
  /(?:ed|by|in|at|from|to|on|for)$/i.test(header.replace(/\s*\([^)]*\)$/, ''))
/** `Lasts (people)`, `Weighs`: what the row does. */
const does = (header: string): boolean => {
  const verb = (header.split(/[\s(]/)[0] ?? '').toLowerCase()
  return verbForms(verb).has('third') && !maybeNoun(verb)
}
const inYear = (year: string | null): string => (year === null ? '' : ` in ${year}`)

/** What the value is said of: `PUE of Oslo`. */
export const subject = (cell: Cell, part: Part): string => {
  const name = rowTitle(cell, part)
  return opening(name === '' ? measureName(cell, part) : `${measureName(cell, part)} of ${name}`)
}

export const valueSaid = (cell: Cell): string => `${cell.text.replace(/[.;]+$/, '')}${inYear(cell.year)}`

export const valueSentence = (cell: Cell, part: Part): string => {
  const value = cell.text.replace(/[.;]+$/, '')
  const measure = measureName(cell, part)
  if (happened(measure) && rowTitle(cell, part) !== '')
    return `${rowTitle(cell, part)}: ${inside(measure)}${inYear(cell.year)} ${value}`
  if (does(measure) && rowTitle(cell, part) !== '') {
    const [, verb = '', aside = ''] = /^(.*?)\s*(\([^)]*\))?$/.exec(measure) ?? []
    return `${rowTitle(cell, part)} ${inside(verb)} ${value}${aside === '' ? '' : ` ${aside}`}${inYear(cell.year)}`
  }
  if (!isNumeric(cell.text)) return `${subject(cell, part)}${inYear(cell.year)}: ${value}`
  return cell.year === null
    ? `${subject(cell, part)} is ${value}`
    : `${subject(cell, part)} in ${cell.year} was ${value}`
}

/** What the caption says of the rows beyond the measure: `…: Europe`. */
const scopeOf = ({ table }: Cell, part: Part): string => {
  const subjectWords = new Set(words(subjectOf(table.name)))
  const asked = part.metric.some(
    ({ stem: word, critical }) => critical && words(table.name).includes(word) && !subjectWords.has(word),
  )
  return asked ? `In “${table.name.replace(/^(\W*\w+\s[\d.-]*\d)[.:]\s*/, '$1: ')}”, ` : ''
}

const listed = (names: string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')

/** One row over its years: `PUE of Oslo was highest in 2022: 1.20`. */
const peakSentence = (cells: Cell[], first: Cell, part: Part): string =>
  `${subject(first, part)} was ${part.rank} in ${listed(cells.map(({ year }) => year ?? ''))}: ${first.text}`

export const rankSentence = (cells: Cell[], part: Part, oneRow: boolean): string => {
  const [first] = cells
  if (!first) return ''
  if (oneRow && first.year !== null && part.year === null) return peakSentence(cells, first, part)
  const names = listed(cells.map((cell) => rowTitle(cell, part)).filter((name, at, all) => all.indexOf(name) === at))
  const among = part.label.length === 0 ? '' : `Among the rows for ${part.label.map(({ raw }) => raw).join(', ')}, `
  const year = first.year !== null && cells.every((cell) => cell.year === first.year) ? ` in ${first.year}` : ''
  return opening(
    `${among || scopeOf(first, part)}${names} had the ${part.rank} ${inside(measureName(first, part))}${year}: ${first.text}`,
  )
}

/** `PUE of Oslo in 2019 is not reported in the documents`. */
export const absentSentence = (part: Part, near: Cell | null): string => {
  const asked = part.metric
    .filter(({ weight }) => weight >= 1)
    .map(({ raw }) => raw)
    .join(' ')
  const own = near && part.rank === null && hasKeys(near.table, near.row, part.keys) ? near : null
  const row = own
    ? rowTitle(own, part)
    : [part.label.map(({ raw }) => raw).join(' '), part.keys.map(({ raw }) => raw).join(' and ')]
        .filter(Boolean)
        .join(' with ')
  const measure = own ? measureName(own, part) : [part.rank, asked].filter(Boolean).join(' ')
  const of = row === '' ? '' : measure === '' ? `The value of ${row}` : `${measure} of ${row}`
  return `${opening(of || measure || 'This')}${inYear(part.year)} is not reported in the documents`
}
