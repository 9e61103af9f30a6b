import { existsSync } from 'node:fs'
import { hasData, root, rowsOf } from './data'
import { isRight, wrongIn, type TableQuestion } from './table-score'
import type { RunView } from '@plumbline/contracts'
import { openInHouse, type InHouse } from './in-house'

export { hasData, root }

/** One form of the documents. `wrong`: figures released that none of a question's parts has. `said`: unanswerable parts that the answer says so of. */
export type Row = {
  form: string
  questions: number
  whole: number
  parts: string
  said: string
  wrong: number
  held: number
  headline: 'right' | 'wrong' | 'not asked'
  floor: number
  msPerRow: number
}

type Question = TableQuestion & { doc_path: string }
type Outcome = { row: Question; view: RunView; text: string; right: boolean[]; wrong: string[] }

const forms = ['pdf', 'html', 'md', 'xlsx']
const floor = 0.9
const released = new Set<string>(['answered', 'unanswered'])

/** Where a document has this form; the pages of the other documents are there as PDF alone. */
const fileOf = ({ doc_path }: Question, form: string): string | undefined =>
  [doc_path.replace(/pdf$/, form)].find((path) => existsSync(`${root}/${path}`))

const asked = async (house: InHouse, row: Question, collection: string): Promise<Outcome> => {
  const { view } = await house.ask(row.question, collection, 'standard')
  const text = released.has(view.status) ? (view.answer?.text ?? '') : ''
  return { row, view, text, right: row.parts.map((part) => isRight(text, part)), wrong: wrongIn(text, row) }
}

const isWhole = ({ right }: Outcome): boolean => right.every(Boolean)
/** Three values of two tables, one of them not reported. */
const isHeadline = ({ row }: Outcome): boolean =>
  row.parts.length === 3 && row.parts.some(({ value }) => value === null)
const share = (all: boolean[]): string => `${all.filter(Boolean).length}/${all.length}`

const rowOf = (form: string, all: Outcome[], ms: number): Row => {
  const parts = all.flatMap(({ row, right }) =>
    row.parts.map(({ value }, at) => ({ value, right: right[at] === true })),
  )
  const headline = all.find(isHeadline)
  return {
    form,
    questions: all.length,
    whole: Number((all.filter(isWhole).length / Math.max(1, all.length)).toFixed(3)),
    parts: share(parts.map(({ right }) => right)),
    said: share(parts.filter(({ value }) => value === null).map(({ right }) => right)),
    wrong: all.filter(({ wrong }) => wrong.length > 0).length,
    held: all.filter(({ view }) => !released.has(view.status)).length,
    headline: headline === undefined ? 'not asked' : isWhole(headline) ? 'right' : 'wrong',
    floor,
    msPerRow: Math.round(ms / Math.max(1, all.length)),
  }
}

export const holds = ({ whole, wrong, headline }: Row): boolean => whole >= floor && wrong === 0 && headline !== 'wrong'

const moved = (row: Row, before: Row[]): string => {
  const by = row.whole - (before.find(({ form }) => form === row.form)?.whole ?? NaN)
  return Number.isNaN(by) ? 'new' : Math.abs(by) < 0.0005 ? '=' : `${by > 0 ? '+' : ''}${by.toFixed(3)}`
}
const line = (all: string[]): string => all.map((cell, at) => (at === 0 ? cell.padEnd(8) : cell.padStart(13))).join('')
const told = (row: Row, before: Row[]): string =>
  line([
    row.form,
    String(row.questions),
    row.whole.toFixed(3),
    moved(row, before),
    row.parts,
    row.said,
    String(row.wrong),
    String(row.held),
    row.headline,
    floor.toFixed(2),
    holds(row) ? 'yes' : 'NO',
    String(row.msPerRow),
  ])

/** Every question over every form of its document: the file uploaded, read, cut, indexed and asked over HTTP, one collection a form. */
export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const questions = rowsOf<Question>('table_qa/questions.jsonl')
  const house = await openInHouse()
  tell(`questions over tables, standard, ${house.models}`)
  tell(
    line([
      'form',
      'questions',
      'whole',
      'before',
      'parts',
      'said absent',
      'wrong',
      'held',
      'headline',
      'floor',
      'holds',
      'ms/question',
    ]),
  )
  const rows: Row[] = []
  try {
    for (const form of forms) {
      const those = questions.filter((row) => fileOf(row, form) !== undefined)
      const files = [...new Set(those.flatMap((row) => fileOf(row, form) ?? []))]
      for (const file of files) await house.upload(`${root}/${file}`, form)
      const from = performance.now()
      const all: Outcome[] = []
      for (const row of those) all.push(await asked(house, row, form))
      const row = rowOf(form, all, performance.now() - from)
      rows.push(row)
      tell(told(row, before))
      for (const {
        row: { question, parts },
        view,
        text,
        wrong,
      } of all.filter((one) => !isWhole(one) || one.wrong.length > 0))
        tell(
          `  ${wrong.length > 0 ? 'WRONG' : 'not whole'}, ${view.status} ${view.reason ?? ''}: ${question}\n    wanted: ${parts.map(({ value }) => value ?? 'not reported').join('; ')}\n    said:   ${text.replaceAll('\n', ' ')}`,
        )
    }
  } finally {
    await house.close()
  }
  return rows
}
