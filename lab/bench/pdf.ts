import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { cpuMsOf } from '@plumbline/testing/processes'
import { type Contender, contenders } from './pdf-contenders'
import { corpusOf } from './retrieval-corpus'
import { atMost, type Line, median, printTable } from './table'

const scales = { short: { rounds: 1, files: 8, passages: 300 }, full: { rounds: 5, files: Infinity, passages: 3_200 } }
const browser = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const data = process.env['EVAL_DATA'] ?? ''

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const bookOf = (passages: number): string => {
  const articles = corpusOf(passages)
  const shown = articles.map(({ title, text }, at) => {
    const rows = (at + 1) % 10 === 0 ? articles.slice(at - 9, at + 1) : []
    const lines = rows.map(
      (row) => `<tr><td>${escaped(row.title)}<td>${row.text.length}<td>${row.text.split(' ').length}`,
    )
    const table = lines.length > 0 ? `<table border=1><tr><th>Article<th>Letters<th>Words${lines.join('')}</table>` : ''
    return `<h2>${escaped(title)}</h2><p>${escaped(text)}</p>${table}`
  })
  return `<title>Articles</title><body style="font:12pt serif">${shown.join('')}`
}

const printBook = async (file: string, passages: number): Promise<void> => {
  const opened = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] })
  try {
    const page = await opened.newPage()
    await page.setContent(bookOf(passages))
    await page.pdf({ path: file, format: 'A4' })
  } finally {
    await opened.close()
  }
}

type Took = { ms: number; cpuMs: number }
type Running = { who: Contender; child: ChildProcess }
type Round = Record<Contender, Took>

const start = async (who: Contender, folder: string): Promise<Running> => {
  const child = fork(process.argv[1] ?? '', ['pdf-contender', who, join(folder, `${who}.sqlite`)])
  await once(child, 'message')
  return { who, child }
}

const bring = async ({ who, child }: Running, path: string): Promise<Took> => {
  const before = cpuMsOf(child.pid ?? 0)
  const answer = once(child, 'message')
  child.send(path)
  const [{ ms, error }] = (await answer) as [{ ms: number; error?: string }]
  if (error !== undefined) throw new Error(`${who}: ${error}`)
  return { ms, cpuMs: cpuMsOf(child.pid ?? 0) - before }
}

/** A different program begins with each file, so that none benefits from the order. */
const roundOf = async (running: readonly Running[], files: readonly string[]): Promise<Round> => {
  const nothing = (): Took => ({ ms: 0, cpuMs: 0 })
  const sums: Round = { ours: nothing(), library: nothing(), pdftotext: nothing() }
  for (const [nth, file] of files.entries())
    for (const one of [...running.slice(nth % running.length), ...running.slice(0, nth % running.length)]) {
      const { ms, cpuMs } = await bring(one, file)
      sums[one.who].ms += ms
      sums[one.who].cpuMs += cpuMs
    }
  return sums
}

const named: Record<Contender, string> = {
  ours: 'read and indexed by us',
  library: 'the reading library alone',
  pdftotext: 'pdftotext -layout',
}

const linesOf = (what: string, rounds: readonly Round[], who: readonly Contender[]): Line[] => {
  const of = (one: Contender, kind: keyof Took): number => median(rounds.map((round) => round[one][kind]))
  const times = who.flatMap((one): Line[] => [
    { what: `${what}: ${named[one]}`, figure: of(one, 'ms'), unit: ' ms' },
    { what: `${what}: ${named[one]}, CPU`, figure: of(one, 'cpuMs'), unit: ' ms' },
  ])
  const over = (other: Contender, kind: keyof Took): number =>
    median(rounds.map((round) => round.ours[kind] / round[other][kind]))
  const ratios = who
    .filter((one) => one !== 'ours')
    .flatMap((one): Line[] => [
      {
        what: `${what}: ours ÷ ${named[one]}`,
        figure: over(one, 'ms'),
        unit: '×',
        ...(one === 'pdftotext' && atMost(3)),
      },
      { what: `${what}: ours ÷ ${named[one]}, CPU`, figure: over(one, 'cpuMs'), unit: '×' },
    ])
  return [...times, ...ratios]
}

const groupsOf = async (folder: string, scale: (typeof scales)['full']): Promise<Record<string, string[]>> => {
  const real = globSync(['tables_real/files/*.pdf', 'parsers/pdf/*.pdf'], { cwd: data })
    .sort()
    .slice(0, scale.files)
    .map((file) => join(data, file))
  if (!existsSync(browser)) {
    console.log('No Chromium here to print a large PDF with: its rows are left out. Set CHROMIUM to where it is.')
    return { [`${real.length} real PDFs`]: real }
  }
  const book = join(folder, 'book.pdf')
  await printBook(book, scale.passages)
  return { [`${real.length} real PDFs`]: real, 'A large PDF': [book] }
}

const measureAll = async (folder: string, scale: (typeof scales)['full']): Promise<Line[]> => {
  const here = spawnSync('pdftotext', ['-v']).error === undefined
  if (!here) console.log('No pdftotext here: its rows are left out. Install the package poppler-utils to have them.')
  const who = contenders.filter((one) => one !== 'pdftotext' || here)
  const groups = await groupsOf(folder, scale)
  const running: Running[] = []
  try {
    for (const one of who) running.push(await start(one, folder))
    const [warm = ''] = Object.values(groups).flat()
    for (const one of running) await bring(one, warm)
    const lines: Line[] = []
    for (const [what, files] of Object.entries(groups)) {
      console.log(`${what} …`)
      const rounds: Round[] = []
      for (let round = 0; round < scale.rounds; round += 1) rounds.push(await roundOf(running, files))
      lines.push(...linesOf(what, rounds, who))
    }
    return [...lines, { what: 'Load of the machine', figure: loadavg()[0] ?? Number.NaN, unit: '' }]
  } finally {
    for (const { child } of running) child.disconnect()
  }
}

export const benchPdf = async (form: 'short' | 'full'): Promise<void> => {
  if (!existsSync(join(data, 'tables_real/files')))
    return console.log('No data to test with here, so PDFs cannot be measured: set EVAL_DATA to its folder.')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-pdf-'))
  try {
    const lines = await measureAll(folder, scales[form])
    const broken = printTable(lines)
    mkdirSync('.data', { recursive: true })
    writeFileSync('.data/bench-pdf.json', JSON.stringify({ form, lines }, null, 2))
    console.log(
      `\n${broken === 0 ? 'Every bound holds' : `${broken} bounds do not hold`} (${form} form, median of ${scales[form].rounds}). Figures: .data/bench-pdf.json`,
    )
    if (broken > 0 && form === 'full') process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
