import { existsSync, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { hasData, root, rowsOf, skippedWithout, tell } from '@plumbline/skills/eval/data'
import { isRight, wrongIn, type TableQuestion } from '@plumbline/skills/eval/table-score'
import { openHouse, type House } from './house'

type Question = TableQuestion & { doc_path: string }
type Asked = { row: Question; view: RunView; text: string }
const isReleased = ({ status }: RunView): boolean => status === 'answered' || status === 'unanswered'

describe.skipIf(!hasData)(skippedWithout('questions over tables, over HTTP'), () => {
  let house: House
  beforeAll(async () => void (house = await openHouse()), 60_000)
  afterAll(() => house.close())

  const upload = async (path: string, collection: string): Promise<void> => {
    const { id } = await house.client.uploadDocument(await openAsBlob(path), basename(path), { collection })
    for await (const { status, error } of house.client.documentEvents(id))
      if (status === 'failed') throw new Error(error)
  }
  const ask = async (row: Question, collection: string): Promise<Asked> => {
    const view = await house.client.ask({ question: row.question, collection }, { waitSeconds: 30 })
    return { row, view, text: isReleased(view) ? (view.answer?.text ?? '') : '' }
  }

  it.each(['md', 'pdf'])(
    'has every part right in nine of ten questions over the %s files, the headline question too, and releases no wrong figure',
    { timeout: 120_000 },
    async (form) => {
      const inForm = ({ doc_path }: Question): string => `${root}/${doc_path.replace(/pdf$/, form)}`
      const rows = rowsOf<Question>('table_qa/questions.jsonl').filter((row) => existsSync(inForm(row)))
      for (const path of new Set(rows.map(inForm))) await upload(path, form)
      const asked: Asked[] = []
      for (const row of rows) asked.push(await ask(row, form))

      const whole = asked.filter(({ row, text }) => row.parts.every((part) => isRight(text, part)))
      const wrong = asked.filter(({ row, text }) => wrongIn(text, row).length > 0)
      tell(
        `table questions over HTTP, ${form}: ${whole.length}/${asked.length} whole, ${wrong.length} wrong figures released`,
      )
      for (const one of asked)
        if (!whole.includes(one))
          tell(`  not whole (${one.view.status} ${one.view.reason}): ${one.row.question}\n    ${one.text}`)
      expect(whole.length / asked.length).toBeGreaterThanOrEqual(0.9)
      expect(wrong).toEqual([])

      const headline = asked.find(({ row }) => row.parts.length === 3 && row.parts.some(({ value }) => value === null))
      expect(headline?.row.parts.map((part) => isRight(headline.text, part))).toEqual([true, true, true])
      expect(headline?.view.answer?.caveat).toBeUndefined()
    },
  )
})
