import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunView } from '@plumbline/contracts'
import { chromium } from 'playwright-core'
import { type Filing, type FilingQuestion, filings } from './filings-documents'
import { openInHouse } from './in-house'
import { visibleAnswer } from './newcomer-judge'
import { numbersIn, withoutCitations } from './text-numbers'

/** Always true, because the documents and questions are generated. */
export const hasData = true
export const root = ''

/**
 * The result for one half of the questions. `looked-at`: the half whose answers are printed. `right`: answers that
 * contain the value and no other figure. `quoted`: answers that quote the row with the value.
 */
export type Row = {
  half: 'looked-at' | 'held-out'
  questions: number
  right: number
  quoted: number
  wrong: number
  lost: number
  msPerRow: number
}
type Became = 'right' | 'quoted' | 'wrong' | 'lost'
type Outcome = { asked: FilingQuestion; filing: string; became: Became; said: string }

const year = /^(?:1[5-9]|20|21)\d\d$/
const plain = (text: string): string => text.replace(/[*$\\]/g, '').replace(/\s+/g, ' ')
const digits = (value: string): number => Math.abs(Number(value.replace(/[^\d.]/g, '')))

/** Returns whether the line contains the row's name and its value. The value must not be part of another figure. */
const isRowOf = (line: string, { row, value }: FilingQuestion): boolean => {
  const found = plain(line)
  const written = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return found.includes(plain(row)) && new RegExp(`(?<![\\d,.(])${written}(?![\\d,.)])`).test(found)
}

const becameOf = (asked: FilingQuestion, view: RunView): Omit<Outcome, 'asked' | 'filing'> => {
  const { quotes } = visibleAnswer(view)
  const [said = ''] = (view.answer?.text ?? '').split('\n\n')
  const isWritten = view.status === 'answered' && view.answer?.kind === 'written'
  const figures = numbersIn(withoutCitations(said)).filter(({ raw, isRank }) => !isRank && !year.test(raw))
  const named = numbersIn(asked.question).map(({ value }) => Math.abs(value))
  const value = digits(asked.value)
  const holdsIt = plain(said).includes(asked.value)
  const others = figures.filter((one) => Math.abs(one.value) !== value && !named.includes(Math.abs(one.value)))
  if (isWritten)
    return {
      said,
      became: others.length > 0 || (figures.length > 0 && !holdsIt) ? 'wrong' : holdsIt ? 'right' : 'lost',
    }
  const isQuoted = quotes.some((quote) => quote.split('\n').some((line) => isRowOf(line, asked)))
  return { said, became: isQuoted ? 'quoted' : 'lost' }
}

const print = async (all: readonly Filing[], folder: string): Promise<string[]> => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const files: string[] = []
    for (const { name, html } of all) {
      const page = await browser.newPage()
      await page.setContent(html)
      const file = join(folder, `${name}.pdf`)
      await writeFile(
        file,
        await page.pdf({ format: 'A4', margin: { top: '18mm', bottom: '18mm', left: '16mm', right: '16mm' } }),
      )
      await page.close()
      files.push(file)
    }
    return files
  } finally {
    await browser.close()
  }
}

const rowOf = (half: Row['half'], all: Outcome[], ms: number): Row => {
  const count = (wanted: Became): number => all.filter(({ became }) => became === wanted).length
  const [right, quoted, wrong, lost] = (['right', 'quoted', 'wrong', 'lost'] as const).map(count)
  return {
    half,
    questions: all.length,
    right: right ?? 0,
    quoted: quoted ?? 0,
    wrong: wrong ?? 0,
    lost: lost ?? 0,
    msPerRow: Math.round(ms / Math.max(1, all.length)),
  }
}

export const holds = ({ questions, right, quoted, wrong }: Row): boolean =>
  wrong === 0 && right + quoted >= 0.9 * questions

const columns = ['half', 'questions', 'right', 'quoted', 'wrong', 'lost', 'before', 'holds', 'ms/question']
const line = (all: string[]): string => all.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(12))).join('')

export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const all = filings()
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-filings-'))
  const house = await openInHouse()
  try {
    const files = await print(all, folder)
    for (const [at, file] of files.entries()) await house.upload(file, `filing-${at}`)
    tell(`questions over tables of printed reports, standard, ${house.models}`)
    tell(line(columns))
    const rows: Row[] = []
    for (const half of ['looked-at', 'held-out'] as const) {
      const outcomes: Outcome[] = []
      const from = performance.now()
      for (const [at, { name, questions }] of all.entries()) {
        if ((at % 2 === 0) !== (half === 'looked-at')) continue
        for (const asked of questions) {
          const { view } = await house.ask(asked.question, `filing-${at}`, 'standard')
          outcomes.push({ asked, filing: name, ...becameOf(asked, view) })
        }
      }
      const row = rowOf(half, outcomes, performance.now() - from)
      rows.push(row)
      const was = before.find((one) => one.half === half)
      const figures = [row.questions, row.right, row.quoted, row.wrong, row.lost].map(String)
      tell(
        line([
          half,
          ...figures,
          was ? String(was.right + was.quoted) : '-',
          holds(row) ? 'yes' : 'NO',
          String(row.msPerRow),
        ]),
      )
      if (half === 'looked-at')
        for (const { asked, filing, became, said } of outcomes.filter(
          (one) => one.became === 'wrong' || one.became === 'lost',
        ))
          tell(
            `  ${became}: ${filing}: ${asked.question}\n    wanted: ${asked.value}\n    said:   ${said.replaceAll('\n', ' ')}`,
          )
    }
    return rows
  } finally {
    await house.close()
    await rm(folder, { recursive: true, force: true })
  }
}
