import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { hasData, rowsOf, skippedWithout, tell } from '@plumbline/skills/eval/data'
import { isRight, wrongIn, type TableQuestion } from '@plumbline/skills/eval/table-score'
import { openHouse, type House } from './house'

const collection = 'regions'
type Asked = { row: TableQuestion; view: RunView; text: string }
const isReleased = ({ status }: RunView): boolean => status === 'answered' || status === 'unanswered'

describe.skipIf(!hasData)(skippedWithout('questions over tables, over HTTP'), () => {
  let house: House
  let asked: Asked[]
  beforeAll(async () => {
    house = await openHouse()
    await house.add('Cloud region carbon and efficiency tables', readFileSync('../shared/data/table_qa/docs/google-cloud-region-carbon.md', 'utf8'), collection)
    const rows = rowsOf<TableQuestion>('table_qa/questions.jsonl').filter(({ doc }) => doc.startsWith('google-cloud-region-carbon'))
    asked = []
    for (const row of rows) {
      const view = await house.client.ask({ question: row.question, collection }, { waitSeconds: 30 })
      asked.push({ row, view, text: isReleased(view) ? (view.answer?.text ?? '') : '' })
    }
  }, 120_000)
  afterAll(() => house.close())

  it('has every part right in four of five questions, and releases no wrong figure', () => {
    const right = asked.map(({ row, text }) => row.parts.every((part) => isRight(text, part)))
    const wrong = asked.filter(({ row, text }) => wrongIn(text, row).length > 0)
    const whole = right.filter(Boolean).length
    const statuses = Object.entries(Object.groupBy(asked, ({ view }) => `${view.status} ${view.reason}`)).map(([how, some]) => `${some?.length} ${how}`)
    tell(`table questions over HTTP: ${whole}/${asked.length} whole, ${wrong.length} wrong figures released; ${statuses.join(', ')}`)
    for (const [at, { row, view, text }] of asked.entries()) if (!right[at]) tell(`  not whole (${view.status} ${view.reason}): ${row.question}\n    ${text}`)
    for (const { row, text } of wrong) tell(`  wrong: ${row.question}\n    ${text}`)
    expect(whole / asked.length).toBeGreaterThanOrEqual(0.8)
    expect(wrong).toEqual([])
  })

  it('has the headline question right: one value not reported, two given', () => {
    const headline = asked.find(({ row }) => row.parts.length === 3 && row.parts.some(({ value }) => value === null))
    expect(headline?.row.parts.map((part) => isRight(headline.text, part))).toEqual([true, true, true])
    expect(headline?.view.answer?.caveat).toBeUndefined()
  })
})
