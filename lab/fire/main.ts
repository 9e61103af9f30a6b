import { mkdirSync, writeFileSync } from 'node:fs'
import { takeSlots } from '@plumbline/adapters/redis/spec/bucket-taker'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { fire, fireRows } from '@plumbline/commands/rows/fire.mjs'
import { R1, R2, R8, R9, R11 } from './rows/crashes'
import { H11 } from './rows/batches'
import { R7, R21 } from './rows/connections'
import { D1, D3 } from './rows/documents'
import { E9 } from './rows/early-release'
import { H10 } from './rows/fair-share'
import { E6, E7 } from './rows/held'
import { R18 } from './rows/isolation'
import { D2 } from './rows/load'
import { R3, R5, R6, R12 } from './rows/lost-redis'
import { R19 } from './rows/messages'
import { L1, L6, L13 } from './rows/models'
import { L2, L3, L4, L5, L7 } from './rows/providers'
import { E8 } from './rows/parked'
import { E5, R10 } from './rows/queues'
import { E3, E4 } from './rows/reviews'
import { S13 } from './rows/requests'
import { R20 } from './rows/rolling'
import { R17 } from './rows/launcher'
import { D4 } from './rows/sources'
import { R14 } from './rows/retained'
import { R15, R16 } from './rows/stops'
import { S3, S4 } from './rows/strangers'
import { L14 } from './rows/idle-streams'
import { L11, L12 } from './rows/streams'
import { S14 } from './rows/tenants'
import { O6 } from './rows/wedged'
import { seconds, type Outcome, type Row, type Scale } from './row'
import { runAllStages, runQuestionStages, runWorker } from './worker'

/** The help shows the ids in `fireRows`, so the type requires a test for each of them. */
const rows: Record<(typeof fireRows)[number], Row> = {
  R1,
  R2,
  R3,
  R5,
  R6,
  R7,
  R8,
  R9,
  R10,
  R11,
  R12,
  R14,
  R15,
  R16,
  R17,
  R18,
  R19,
  R20,
  R21,
  E3,
  E4,
  E5,
  E6,
  E7,
  E8,
  E9,
  H10,
  H11,
  L1,
  L2,
  L3,
  L4,
  L5,
  L6,
  L7,
  L11,
  L12,
  L13,
  L14,
  D1,
  D2,
  D3,
  D4,
  S3,
  S4,
  S13,
  S14,
  O6,
}

const failed = (error: unknown): Outcome => ({
  holds: false,
  figures: { error: error instanceof Error ? error.message : String(error) },
})

const figuresOf = ({ figures }: Outcome): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ')

const runRow = async (row: Row, scale: Scale): Promise<Outcome & { id: string; promise: string; ms: number }> => {
  console.log(`\n${row.id}  ${row.promise}`)
  const from = performance.now()
  const outcome = await row.run(scale).catch(failed)
  const ms = performance.now() - from
  console.log(`    ${outcome.holds ? 'holds' : 'BROKEN'}  ${figuresOf(outcome)}  (${seconds(ms)})`)
  return { id: row.id, promise: row.promise, ...outcome, ms: Math.round(ms) }
}

const orchestrate = async (words: string[]): Promise<void> => {
  const { values, positionals: named } = readWordsOrExit(fire, words)
  const scale: Scale = values.short ? 'short' : 'full'
  const all = Object.values(rows)
  const unknown = named.filter((id) => !all.some((row) => row.id === id))
  if (unknown.length > 0) {
    console.error(`No row is called ${unknown.join(', ')}. The rows are ${fireRows.join(' ')}.`)
    process.exitCode = 2
    return
  }
  const chosen = named.length > 0 ? all.filter(({ id }) => named.includes(id)) : all
  const outcomes = []
  for (const row of chosen) outcomes.push(await runRow(row, scale))
  mkdirSync('.data', { recursive: true })
  writeFileSync('.data/fire.json', JSON.stringify({ scale, outcomes }, null, 2))
  const broken = outcomes.filter(({ holds }) => !holds)
  console.log(
    `\n${outcomes.length - broken.length} of ${outcomes.length} promises hold (${scale} form). Figures: .data/fire.json`,
  )
  if (broken.length > 0) {
    for (const outcome of broken) console.log(`Broken: ${outcome.id}  ${figuresOf(outcome)}`)
    process.exitCode = 1
  }
}

const [first, ...rest] = process.argv.slice(2)
if (first === 'worker') await runWorker()
else if (first === 'stages') await runAllStages(rest)
else if (first === 'questions') await runQuestionStages(rest)
else if (first === 'taker') await takeSlots(rest)
else await orchestrate(first === undefined ? [] : [first, ...rest])
