import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Passage } from '@plumbline/contracts'
import { openInHouse, type InHouse } from './in-house'
import { plainReader } from './newcomer-baseline'
import {
  judge,
  visibleAnswer,
  verdicts,
  type NewcomerQuestion,
  type VisibleAnswer,
  type Verdict,
} from './newcomer-judge'

export const root = 'lab/eval'
export const hasData = true

/** Resolves a path relative to the folder in which the user typed the command. */
export const resolvePath = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path)

type Chosen = { docs?: string; questions?: string; policy?: string; only?: string }
type Judged = { asked: NewcomerQuestion; verdict: Verdict }
export type Row = {
  system: string
  questions: number
  answerable: number
  threads: number
  floor: number | null
} & Record<Verdict, number>

export class WrongWords extends Error {
  readonly code = 'wrong-words'
}

export const rowsIn = <Question>(file: string): Question[] => {
  if (!existsSync(file)) throw new WrongWords(`There is no file ${file} with a question on every line.`)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Question)
}

const questionsIn = (file: string, only: string | undefined): NewcomerQuestion[] => {
  const asked = rowsIn<NewcomerQuestion>(file).filter(
    ({ id, kind, collection }) => !only || [id, kind, collection].includes(only),
  )
  if (asked.length === 0) throw new WrongWords(`No question of ${file} has the kind, collection or id ${only}.`)
  return asked
}

/** Each subfolder is one collection. */
export const filesIn = (folder: string): { collection: string; path: string }[] => {
  if (!existsSync(folder)) throw new WrongWords(`There is no folder ${folder} with a folder for each collection.`)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(folder, name)).map((file) => ({ collection: name, path: join(folder, name, file) })),
    )
}

const rowOf = (system: string, all: Judged[], floor: number | null): Row => {
  const answerable = all.filter(({ asked }) => asked.gold !== null)
  const count = (verdict: Verdict): number =>
    (verdict === 'right absence' ? all : answerable).filter((one) => one.verdict === verdict).length
  return {
    system,
    questions: all.length,
    answerable: answerable.length,
    threads: answerable.filter(({ asked, verdict }) => asked.thread !== undefined && verdict === 'delivered').length,
    floor,
    ...(Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>),
  }
}

/** `floor`: the number of answers that the baseline delivered in the same run. */
export const holds = (row: Row): boolean =>
  row.floor === null || (row.delivered > row.floor && row['false absence'] === 0 && row.wrong === 0)

const line = (cells: (string | number)[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(16) : String(cell).padStart(15))).join('')

const byKind = (all: Judged[]): string[] =>
  [...Map.groupBy(all, ({ asked }) => asked.kind)].map(([kind, of]) =>
    line([
      `  ${kind}`,
      of.length,
      ...verdicts.map((verdict) => of.filter((one) => one.verdict === verdict).length || '·'),
    ]),
  )

const askHouse = async (
  house: InHouse,
  asked: NewcomerQuestion,
  session: string,
  policy?: string,
): Promise<VisibleAnswer> => {
  const threadId = asked.thread && `${session}-${asked.id}`
  for (const { question } of asked.thread ?? []) await house.ask(question, asked.collection, policy, threadId)
  return visibleAnswer((await house.ask(asked.question, asked.collection, policy, threadId)).view)
}

const judgedUnder = async (
  house: InHouse,
  questions: readonly NewcomerQuestion[],
  policy: string | undefined,
  tell: (line: string) => void,
): Promise<Judged[]> => {
  if (policy !== undefined) tell(`under ${policy}:`)
  const all: Judged[] = []
  for (const asked of questions) {
    const shown = await askHouse(house, asked, `newcomer-${policy ?? ''}`, policy)
    const verdict = judge(asked, shown)
    all.push({ asked, verdict })
    if (verdict !== 'delivered' && verdict !== 'right absence')
      tell(`  ${asked.id} ${verdict} [${shown.reason}]: ${asked.question}`)
  }
  return all
}

export const table = async (_before: Row[], tell: (line: string) => void, chosen: Chosen = {}): Promise<Row[]> => {
  const questions = questionsIn(
    chosen.questions ? resolvePath(chosen.questions) : join(root, 'questions.jsonl'),
    chosen.only,
  )
  const files = filesIn(chosen.docs ? resolvePath(chosen.docs) : join(root, 'docs'))
  const house = await openInHouse()
  try {
    const passages = new Map<string, Passage[]>()
    for (const { collection, path } of files) {
      const document = await house.upload(path, collection)
      passages.set(collection, [...(passages.get(collection) ?? []), ...(await house.passages(document))])
    }
    tell(`${files.length} documents, ${questions.length} questions, answered by: ${house.models}`)
    const readers = new Map([...passages].map(([collection, all]) => [collection, plainReader(all)]))
    const plain = questions.map((asked): Judged => {
      const whole = [...(asked.thread ?? []), asked].map(({ question }) => question).join(' ')
      const read = readers.get(asked.collection)?.(whole) ?? { status: 'unanswered', said: '', quotes: [] }
      return { asked, verdict: judge(asked, read) }
    })
    const baseline = rowOf('plain baseline', plain, null)
    const systems: { name: string; judged: Judged[] }[] = []
    for (const policy of chosen.policy?.split(',') ?? [undefined])
      systems.push({ name: policy ?? 'this system', judged: await judgedUnder(house, questions, policy, tell) })
    const rows = [...systems.map(({ name, judged }) => rowOf(name, judged, baseline.delivered)), baseline]
    tell(line(['', 'asked', ...verdicts]))
    for (const row of rows) tell(line([row.system, row.questions, ...verdicts.map((verdict) => row[verdict])]))
    for (const { name, judged } of systems) {
      if (systems.length > 1) tell(name)
      for (const kind of byKind(judged)) tell(kind)
    }
    tell(`threads delivered: ${rows.map(({ system, threads }) => `${system} ${threads}`).join(', ')}`)
    return rows
  } finally {
    await house.close()
  }
}
