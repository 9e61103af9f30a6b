import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Passage, RunView } from '@plumbline/contracts'
import { openInHouse, type InHouse } from './in-house'
import { filesIn, resolvePath, rowsIn, WrongWords } from './newcomer'
import { plainReader } from './newcomer-baseline'
import { judge, visibleAnswer, type NewcomerQuestion, type VisibleAnswer } from './newcomer-judge'

export const root = 'lab/eval'
export const hasData = true

const halves = ['open', 'kept'] as const
type Half = (typeof halves)[number]
type Question = Pick<NewcomerQuestion, 'id' | 'collection' | 'question' | 'gold'> & { half: Half }
type Chosen = { half?: string; questions?: string }
type Outcome = 'unanswered' | 'quoted' | 'other'
/** `first`: the first shown passage contains the gold answer. `any`: any shown passage does. */
type Result = { asked: Question; first: boolean; any: boolean; characters: number; outcome: Outcome }

/** `characters`: the mean length of the answers to answerable questions. */
export type Row = {
  system: string
  half: Half
  answerable: number
  first: number
  any: number
  characters: number
  offTopic: number
} & Record<Outcome, number>

/** Always true. This measurement needs no minimum, because no setting depends on the result. */
export const holds = (_row: Row): boolean => true

const questionsFor = ({ half, questions }: Chosen): Question[] => {
  if (half !== undefined && !halves.some((one) => one === half))
    throw new WrongWords(`There is no half ${half}. Choose ${halves.join(' or ')}.`)
  const file = questions ? resolvePath(questions) : join(root, 'first-minute-more.jsonl')
  const chosen = rowsIn<Question>(file).filter((asked) => half === undefined || asked.half === half)
  if (chosen.length === 0) throw new WrongWords(`${file} has no question of ${half ?? 'a half'}.`)
  return chosen
}

const placesOf = (shown: VisibleAnswer, isWritten: boolean): VisibleAnswer[] => [
  ...(isWritten ? [{ ...shown, quotes: [] }] : []),
  ...shown.quotes.map((quote) => ({ ...shown, said: '', quotes: [quote] })),
]

const outcomeOf = ({ status }: VisibleAnswer): Outcome => {
  if (status === 'unanswered' || status === 'declined') return 'unanswered'
  return status === 'answered' ? 'quoted' : 'other'
}

const resultOf = (asked: Question, shown: VisibleAnswer, isWritten: boolean): Result => {
  const places = placesOf(shown, isWritten)
  const contains = places.map((place) => judge(asked, place) === 'delivered')
  return {
    asked,
    first: contains[0] === true,
    any: contains.includes(true),
    characters: places.reduce((sum, { said, quotes }) => sum + said.trim().length + quotes.join('').length, 0),
    outcome: outcomeOf(shown),
  }
}

const ofRun = (asked: Question, view: RunView): Result =>
  resultOf(asked, visibleAnswer(view), view.answer?.kind === 'written')

const rowOf = (system: string, half: Half, all: Result[]): Row => {
  const answerable = all.filter(({ asked }) => asked.gold !== null)
  const offTopic = all.filter(({ asked }) => asked.gold === null)
  const ended = (outcome: Outcome): number => offTopic.filter((one) => one.outcome === outcome).length
  const characters = answerable.reduce((sum, one) => sum + one.characters, 0)
  return {
    system,
    half,
    answerable: answerable.length,
    first: answerable.filter(({ first }) => first).length,
    any: answerable.filter(({ any }) => any).length,
    characters: Math.round(characters / Math.max(1, answerable.length)),
    offTopic: offTopic.length,
    unanswered: ended('unanswered'),
    quoted: ended('quoted'),
    other: ended('other'),
  }
}

const line = (cells: (string | number)[]): string =>
  cells.map((cell, at) => (at < 2 ? String(cell).padEnd(14) : String(cell).padStart(12))).join('')

const tableOf = (rows: Row[]): string[] => [
  line(['answerable', 'half', 'asked', 'first', 'any', 'characters']),
  ...rows.map(({ system, half, answerable, first, any, characters }) =>
    line([system, half, answerable, first, any, characters]),
  ),
  '',
  line(['off-topic', 'half', 'asked', 'unanswered', 'quoted', 'other']),
  ...rows.map(({ system, half, offTopic, unanswered, quoted, other }) =>
    line([system, half, offTopic, unanswered, quoted, other]),
  ),
]

/** Describes the result of one question. Is never called for the half `kept`. */
const described = ({ asked, first, any, characters, outcome }: Result): string =>
  asked.gold === null
    ? `  ${asked.id} off-topic, ${outcome}: ${asked.question}`
    : `  ${asked.id} first ${first ? 'yes' : 'no'}, any ${any ? 'yes' : 'no'}, ${characters} characters: ${asked.question}`

type SampleFile = { name: string; description: string; documents: { title: string; file: string }[] }

/** Adds the sample in the same way as apps/local: with description, titles and file names. */
const addSample = async (house: InHouse): Promise<Passage[]> => {
  const sample = JSON.parse(readFileSync(join('sample', 'collection.json'), 'utf8')) as SampleFile
  const { name: collection, description, documents } = sample
  await house.client.putCollection(collection, { description })
  const passages: Passage[] = []
  for (const { title, file } of documents) {
    const fields = { name: file, format: 'markdown' as const }
    const document = await house.add(title, readFileSync(file, 'utf8'), collection, fields)
    passages.push(...(await house.passages(document)))
  }
  return passages
}

const addDocuments = async (house: InHouse): Promise<Map<string, Passage[]>> => {
  const passages = new Map([['sample', await addSample(house)]])
  for (const { collection, path } of filesIn(join(root, 'docs'))) {
    const document = await house.upload(path, collection)
    passages.set(collection, [...(passages.get(collection) ?? []), ...(await house.passages(document))])
  }
  return passages
}

export const table = async (_before: Row[], tell: (line: string) => void, chosen: Chosen = {}): Promise<Row[]> => {
  const questions = questionsFor(chosen)
  const house = await openInHouse()
  try {
    const passages = await addDocuments(house)
    const readers = new Map([...passages].map(([collection, all]) => [collection, plainReader(all)]))
    tell(`${questions.length} questions, answered by: ${house.models}`)
    const ours: Result[] = []
    const plain: Result[] = []
    for (const asked of questions) {
      const read = readers.get(asked.collection)
      if (!read) throw new WrongWords(`${asked.id} asks the collection ${asked.collection}, which has no documents.`)
      const result = ofRun(asked, (await house.ask(asked.question, asked.collection)).view)
      ours.push(result)
      plain.push(resultOf(asked, read(asked.question), false))
      if (asked.half === 'open') tell(described(result))
    }
    const rows = halves
      .filter((half) => questions.some((asked) => asked.half === half))
      .flatMap((half) => [
        rowOf(
          'this system',
          half,
          ours.filter(({ asked }) => asked.half === half),
        ),
        rowOf(
          'BM25',
          half,
          plain.filter(({ asked }) => asked.half === half),
        ),
      ])
    tell('')
    for (const text of tableOf(rows)) tell(text)
    return rows
  } finally {
    await house.close()
  }
}
