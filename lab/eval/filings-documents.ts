/** `cells` is empty if the row has only a name. */
type Line = { name: string; level: 0 | 1; cells: string[]; total?: boolean }
export type FilingTable = {
  title: string
  units: { text: string; where: 'line' | 'corner' | 'title' }
  /** The header rows above the columns of figures, from the top. A merged cell appears once with its width. */
  heads: { text: string; across: number }[][]
  /** The header of the column of row names. May be empty. */
  corner: string
  lines: Line[]
}
export type FilingQuestion = { question: string; row: string; value: string }
export type Filing = { name: string; html: string; questions: FilingQuestion[] }

/** Equal seeds give equal numbers on every machine (mulberry32). */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const companies = [
  'Adlerbrook Instruments',
  'Brinmoor Freight',
  'Caldreth Foods',
  'Dunsley Water',
  'Eskerly Paper',
  'Farnholt Optics',
  'Grendale Mining',
  'Hollisfen Energy',
  'Ingleworth Textiles',
  'Jarrowby Hotels',
]

const towns =
  `Abberton Birchley Cresswick Dalmoor Ellerby Fenwold Garsdale Hembury Ivelford Jesmere Kelmarsh Lathby Marden
  Netherton Orsley Penfold Quenby Rushmere Selwick Thornby Ulverley Vernham Wadsley Yarnfield Ashwell Burrington Coldbeck Draycott
  Elmstead Frinton Galhampton Hartsop Ibstone Kirkley Langrigg Middlesham Norwell Oakhanger Plumley Radwick Stainmoor Tidworth
  Uldale Wharram Alderby Brockhurst Carleby Denholme Easterley Fulbeck`.split(/\s+/)

const grouped = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

type Style = {
  year: number
  day: string
  dollars: boolean
  ruled: 'none' | 'lines' | 'all'
  notes: boolean
  units: FilingTable['units']
  stacked: boolean
  continued: boolean
}

const styleOf = (nth: number): Style => ({
  year: 2019 + (nth % 5),
  day: ['December 31', 'June 30', 'March 31'][nth % 3] ?? '',
  dollars: nth % 2 === 0,
  ruled: (['none', 'lines', 'all'] as const)[Math.floor(nth / 2) % 3] ?? 'none',
  notes: Math.floor(nth / 2) % 2 === 0,
  units: {
    text: ['(in thousands)', '(in millions)', '(in thousands, except share data)'][Math.floor(nth / 2) % 3] ?? '',
    where: (['line', 'corner', 'title'] as const)[(nth + Math.floor(nth / 2)) % 3] ?? 'line',
  },
  stacked: Math.floor(nth / 2) % 5 === 1,
  continued: true,
})

const figuresOf = (random: () => number) => {
  const amount = (most = 90_000): number => Math.round(400 + random() * most)
  const shown = (value: number): string => (value < 0 ? `(${grouped(-value)})` : grouped(value))
  return { amount, shown, sign: (): number => (random() < 0.4 ? -1 : 1) }
}
type Figures = ReturnType<typeof figuresOf>

const line = (name: string, level: 0 | 1, values: number[], { shown }: Figures, total = false): Line => ({
  name,
  level,
  cells: values.map(shown),
  total,
})

const added = (...all: number[][]): number[] =>
  (all[0] ?? []).map((_, at) => all.reduce((sum, one) => sum + (one[at] ?? 0), 0))

const assets = ['Cash and cash equivalents', 'Trade receivables, net', 'Inventories', 'Prepaid expenses']
const longAssets = ['Property and equipment, net', 'Goodwill', 'Deferred tax assets']
const debts = ['Trade payables', 'Accrued wages', 'Short-term borrowings']
const longDebts = ['Long-term borrowings', 'Lease obligations']

const balanceOf = (figures: Figures, width: number): Line[] => {
  const group = (name: string, names: string[], total: string): { lines: Line[]; sum: number[] } => {
    const values = names.map(() => Array.from({ length: width }, () => figures.amount()))
    const sum = added(...values)
    return {
      sum,
      lines: [
        { name, level: 0, cells: [] },
        ...names.map((one, at) => line(one, 1, values[at] ?? [], figures)),
        line(total, 0, sum, figures, true),
      ],
    }
  }
  const [current, other] = [
    group('Current assets', assets, 'Total current assets'),
    group('Non-current assets', longAssets, 'Total non-current assets'),
  ]
  const [owed, later] = [
    group('Current liabilities', debts, 'Total current liabilities'),
    group('Non-current liabilities', longDebts, 'Total non-current liabilities'),
  ]
  return [
    ...current.lines,
    ...other.lines,
    line('Total assets', 0, added(current.sum, other.sum), figures, true),
    ...owed.lines,
    ...later.lines,
  ]
}

const balanceSheet = (style: Style, figures: Figures): FilingTable => {
  const { year, day, units, stacked } = style
  const table = { title: 'Consolidated Balance Sheets', units, corner: '' }
  if (!stacked)
    return {
      ...table,
      heads: [[{ text: `${day},`, across: 2 }], [year, year - 1].map((one) => ({ text: String(one), across: 1 }))],
      lines: balanceOf(figures, 2),
    }
  const periods = [year, year - 1].flatMap((one): Line[] => [
    { name: `As of ${day}, ${one}`, level: 0, cells: [] },
    ...assets.map((name) => line(name, 1, [figures.amount(), figures.amount()], figures)),
    line('Total current assets', 0, [figures.amount(), figures.amount()], figures, true),
  ])
  return { ...table, heads: [['Parent', 'Group'].map((text) => ({ text, across: 1 }))], lines: periods }
}

const incomeStatement = ({ year, day, units }: Style, figures: Figures): FilingTable => {
  const values = (sign = 1): number[] => Array.from({ length: 4 }, () => sign * figures.amount())
  const mixed = (): number[] => Array.from({ length: 4 }, () => figures.sign() * figures.amount(9_000))
  const [products, services, licences] = [values(), values(), values()]
  const revenue = added(products, services, licences)
  const cost = [values(-0.5), values(-0.4)]
  return {
    title: 'Consolidated Statements of Operations',
    units,
    corner: '',
    heads: [
      [
        { text: `Three months ended ${day}`, across: 2 },
        { text: `Nine months ended ${day}`, across: 2 },
      ],
      [year, year - 1, year, year - 1].map((one) => ({ text: String(one), across: 1 })),
    ],
    lines: [
      { name: 'Revenue:', level: 0, cells: [] },
      line('Products', 1, products, figures),
      line('Services', 1, services, figures),
      line('Licences', 1, licences, figures),
      line('Total revenue', 0, revenue, figures, true),
      { name: 'Cost of revenue:', level: 0, cells: [] },
      line('Products', 1, cost[0] ?? [], figures),
      line('Services', 1, cost[1] ?? [], figures),
      line('Selling expenses', 0, values(-0.2), figures),
      line('Restructuring costs', 0, values(-0.05), figures),
      line('Operating income (loss)', 0, mixed(), figures, true),
      line('Net financing result', 0, mixed(), figures),
      line('Net income (loss)', 0, mixed(), figures, true),
    ],
  }
}

const cashFlows = ({ year, units }: Style, figures: Figures): FilingTable => {
  const values = (): number[] => Array.from({ length: 3 }, () => figures.sign() * figures.amount(20_000))
  const section = (name: string, names: string[], total: string): Line[] => [
    { name, level: 0, cells: [] },
    ...names.map((one) => line(one, 1, values(), figures)),
    line(total, 0, values(), figures, true),
  ]
  return {
    title: 'Consolidated Statements of Cash Flows',
    units,
    corner: 'Year ended',
    heads: [[year, year - 1, year - 2].map((one) => ({ text: String(one), across: 1 }))],
    lines: [
      ...section(
        'Operating activities',
        ['Depreciation', 'Change in receivables', 'Change in payables'],
        'Net cash from operating activities',
      ),
      ...section(
        'Investing activities',
        ['Purchase of equipment', 'Sale of subsidiaries'],
        'Net cash used in investing activities',
      ),
      ...section(
        'Financing activities',
        ['Proceeds from borrowings', 'Repayment of borrowings', 'Dividends paid'],
        'Net cash from financing activities',
      ),
    ],
  }
}

const sites = ({ year, units }: Style, figures: Figures, random: () => number): FilingTable => {
  const names = towns
    .map((town) => ({ town, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ town }) => town)
  return {
    title: 'Schedule of Sites',
    units,
    corner: 'Site',
    heads: [['Land', 'Buildings', 'Accumulated depreciation', 'Opened'].map((text) => ({ text, across: 1 }))],
    lines: names.map((name) => ({
      name,
      level: 0,
      cells: [
        ...[figures.amount(), figures.amount(), -figures.amount(9_000)].map(figures.shown),
        String(year - 40 + Math.floor(random() * 40)),
      ],
    })),
  }
}

const columnOf = ({ heads }: FilingTable, column: number): string =>
  heads
    .flatMap((row) => {
      let left = column
      return row.find(({ across }) => (left -= across) < 0)?.text ?? []
    })
    .join(' ')

const rowOf = ({ lines }: FilingTable, at: number): string => {
  const { name = '' } = lines[at] ?? {}
  if (lines.filter((one) => one.name === name).length < 2) return name
  const group = lines.slice(0, at).findLast(({ cells }) => cells.length === 0)?.name ?? ''
  return `${name} under ${group.replace(/:$/, '')}`
}

const asked = (table: FilingTable, random: () => number, nth: number): FilingQuestion => {
  const told = table.lines.flatMap(({ cells }, at) => (cells.length > 0 ? [at] : []))
  const at = told[Math.floor(random() * told.length)] ?? 0
  const { name = '', cells = [] } = table.lines[at] ?? {}
  const column = Math.floor(random() * cells.length)
  const [row, head] = [rowOf(table, at), columnOf(table, column)]
  const forms = [
    `What was ${row} for ${head}?`,
    `${row}, ${head}`,
    `How much is ${row} in ${head}?`,
    `In ${table.title}, what is ${row} for ${head}?`,
  ]
  return { question: forms[nth % forms.length] ?? '', row: name, value: cells[column] ?? '' }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const tableHtml = (table: FilingTable, { dollars, notes }: Style): string => {
  const { title, units, heads, corner, lines } = table
  const width = heads.at(-1)?.length ?? 0
  const withNotes = notes && title !== 'Schedule of Sites'
  const noteCell = (text: string, tag = 'td'): string => (withNotes ? `<${tag} class="note">${text}</${tag}>` : '')
  const headRow = (row: FilingTable['heads'][number], at: number): string => {
    const last = at === heads.length - 1
    const first = last ? (units.where === 'corner' ? units.text : corner) : ''
    return `<tr><th class="name">${escaped(first)}</th>${noteCell(last ? 'Note' : '', 'th')}${row
      .map(({ text, across }) => `<th colspan="${across}"${across > 1 ? ' class="over"' : ''}>${escaped(text)}</th>`)
      .join('')}</tr>`
  }
  const body = lines.map(({ name, level, cells, total }, at) => {
    const money = dollars && (total === true || at === 1) && title !== 'Schedule of Sites'
    const shown = cells.length === 0 ? Array.from({ length: width }, () => '') : cells
    const note = cells.length > 0 && at % 3 === 1 ? String(2 + (at % 9)) : ''
    return `<tr class="${total === true ? 'total' : ''}"><td class="name level${level}">${escaped(name)}</td>${noteCell(note)}${shown
      .map((cell) => `<td>${money && cell !== '' ? '$ ' : ''}${cell}</td>`)
      .join('')}</tr>`
  })
  const over = units.where === 'title' ? `${title} ${units.text}` : title
  return `<h2>${over}</h2>${units.where === 'line' ? `<p class="units">${units.text}</p>` : ''}
<table><thead>${heads.map(headRow).join('')}</thead><tbody>${body.join('\n')}</tbody></table>
<p class="foot">The notes on the following pages are part of this statement.</p>`
}

const rules = {
  none: '',
  lines: 'thead tr:last-child th { border-bottom: 1px solid #000 } tr.total td { border-top: 1px solid #000 }',
  all: 'td, th { border: 1px solid #888 }',
}

const filingOf = (nth: number): Filing => {
  const random = randomOf(7_919 * (nth + 1))
  const figures = figuresOf(random)
  const style = styleOf(nth)
  const name = companies[nth] ?? ''
  const tables = [
    balanceSheet(style, figures),
    incomeStatement(style, figures),
    cashFlows(style, figures),
    sites(style, figures, random),
  ]
  const [balance, income, flows, long] = tables
  const about = `${name} makes its report for the period that ended on ${style.day}, ${style.year}. The figures were not audited.`
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name} Interim Report ${style.year}</title><style>
body { font: 10pt/1.35 ${nth % 3 === 0 ? 'serif' : 'sans-serif'} } table { border-collapse: collapse; width: 100% } td, th { text-align: right; padding: 2px 6px; font-weight: normal; vertical-align: bottom }
.name { text-align: left } .note { text-align: center; width: 3em } .level1 { padding-left: 18px } .over { text-align: center } h2 { break-after: avoid; margin-top: 26px } ${rules[style.ruled]}
</style></head><body><h1>${name} Interim Report ${style.year}</h1><p>${about}</p>${tables.map((table) => tableHtml(table, style)).join('\n')}</body></html>`
  const picked = [balance, income, flows, long, nth % 2 === 0 ? income : balance].flatMap((table) => table ?? [])
  return { name, html, questions: picked.map((table, at) => asked(table, random, nth + at)) }
}

export const filings = (): Filing[] => companies.map((_, nth) => filingOf(nth))
