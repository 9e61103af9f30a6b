import { existsSync } from 'node:fs'
import { hasData, root, rowsOf } from './data'
import { visibleAnswer } from './newcomer-judge'
import { isRight, isShown, wrongIn, type TableQuestion } from './table-score'
import type { RunView } from '@plumbline/contracts'
import { openInHouse } from './in-house'

export { hasData, root }

/**
 * The results for one format of the documents. `right`: every part is written correctly. `quoted`: the rows of the
 * parts are quoted. `wrong`: a figure was written that belongs to no part.
 */
export type Row = {
  form: string
  questions: number
  right: number
  quoted: number
  wrong: number
  lost: number
  headline: 'right' | 'wrong' | 'not asked'
  msPerRow: number
}

type Question = TableQuestion & { doc_path: string }
type Became = 'right' | 'quoted' | 'wrong' | 'lost'
type Outcome = { row: Question; view: RunView; said: string; became: Became }

const forms = ['pdf', 'html', 'md', 'xlsx']

/** Returns undefined if the document does not exist in this format. Some documents exist only as PDF. */
const fileOf = ({ doc_path }: Question, form: string): string | undefined =>
  [doc_path.replace(/pdf$/, form)].find((path) => existsSync(`${root}/${path}`))

const becameOf = (row: Question, view: RunView): Outcome => {
  const { quotes } = visibleAnswer(view)
  // Take the text above the quoted rows.
  const [said = ''] = (view.answer?.text ?? '').split('\n\n')
  const isWritten = view.status === 'answered' && view.answer?.kind === 'written'
  const isWrong = isWritten && wrongIn(said, row).length > 0
  const isWhole = isWritten && row.parts.every((part) => isRight(said, part))
  const isQuoted = view.reason === 'answered.quoted' && row.parts.every((part) => isShown(quotes, part))
  return { row, view, said, became: isWrong ? 'wrong' : isWhole ? 'right' : isQuoted ? 'quoted' : 'lost' }
}

/** Returns whether the question asks for three values, at least one of them from an empty cell. */
const isHeadline = ({ row }: Outcome): boolean =>
  row.parts.length === 3 && row.parts.some(({ value }) => value === null)

const rowOf = (form: string, all: Outcome[], ms: number): Row => {
  const count = (wanted: Became): number => all.filter(({ became }) => became === wanted).length
  const headline = all.find(isHeadline)
  return {
    form,
    questions: all.length,
    right: count('right'),
    quoted: count('quoted'),
    wrong: count('wrong'),
    lost: count('lost'),
    headline: headline === undefined ? 'not asked' : headline.became === 'right' ? 'right' : 'wrong',
    msPerRow: Math.round(ms / Math.max(1, all.length)),
  }
}

export const holds = ({ wrong, lost, headline }: Row): boolean => wrong === 0 && lost === 0 && headline !== 'wrong'

const columns = ['form', 'questions', 'right', 'before', 'quoted', 'wrong', 'lost', 'headline', 'holds', 'ms/question']
const line = (all: string[]): string => all.map((cell, at) => (at === 0 ? cell.padEnd(8) : cell.padStart(13))).join('')
const reportLine = (row: Row, before: Row[]): string => {
  const { form, questions, right, quoted, wrong, lost, headline, msPerRow } = row
  const was = before.find((one) => one.form === form)?.right ?? '-'
  const figures = [questions, right, was, quoted, wrong, lost].map(String)
  return line([form, ...figures, headline, holds(row) ? 'yes' : 'NO', String(msPerRow)])
}

export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const questions = rowsOf<Question>('table_qa/questions.jsonl')
  const house = await openInHouse()
  tell(`questions over tables, standard, ${house.models}`)
  tell(line(columns))
  const rows: Row[] = []
  try {
    for (const form of forms) {
      const those = questions.filter((row) => fileOf(row, form) !== undefined)
      const files = [...new Set(those.flatMap((row) => fileOf(row, form) ?? []))]
      for (const file of files) await house.upload(`${root}/${file}`, form)
      const from = performance.now()
      const all: Outcome[] = []
      for (const row of those) all.push(becameOf(row, (await house.ask(row.question, form, 'standard')).view))
      const row = rowOf(form, all, performance.now() - from)
      rows.push(row)
      tell(reportLine(row, before))
      for (const { row: question, said, became } of all.filter((one) => one.became !== 'right'))
        tell(
          `  ${became}: ${question.question}\n    wanted: ${question.parts.map(({ value }) => value ?? 'no value').join('; ')}\n    said:   ${said.replaceAll('\n', ' ')}`,
        )
    }
  } finally {
    await house.close()
  }
  return rows
}
