import { existsSync, readFileSync } from 'node:fs'
import type { Evidence } from '@plumbline/contracts'
import { tokens } from '@plumbline/knowledge/text'
import { hasSet, isHeldOut, root, rowsOf } from './data'
import type { TableQuestion } from './table-score'
import type { Expected } from './answers-figures'

export type AskedQuestion = Expected & { question: string }
export type Source = { id: string } & ({ title: string; text: string } | { path: string })
/** `questions` needs the ids that ingestion assigns to the documents. */
export type AnswerSet = {
  name: string
  sources: Source[]
  questions: (documentOf: Map<string, string>) => AskedQuestion[]
}

type Query = { id: string; text: string; answer: string; aliases?: string[] }
type Qrel = { query_id: string; doc_id: string }

const heldOut = ({ id }: { id: string }): boolean => isHeldOut({ key: id })
/** Alternates between the development half and the held-out half, so that any sample contains both. */
const inTurns = <Q extends { id: string }>(all: Q[]): Q[] => {
  const [own, other] = [all.filter((one) => !heldOut(one)), all.filter(heldOut)]
  return Array.from({ length: Math.max(own.length, other.length) }, (_, at) => [own[at], other[at]])
    .flat()
    .filter((one) => one !== undefined)
}

/** Leaves out the gold passages of the questions in `without`, so that these questions cannot be answered. */
const multiHop = (folder: string, limit: number, unanswerable: number) => {
  const queries = inTurns(rowsOf<Query>(`${folder}/queries.jsonl`))
  const [some, without] = [queries.slice(0, limit), queries.slice(limit, limit + unanswerable)]
  const goldOf = Map.groupBy(rowsOf<Qrel>(`${folder}/qrels.jsonl`), ({ query_id }) => query_id)
  const ids = (of: Query[]): Set<string> =>
    new Set(of.flatMap(({ id }) => goldOf.get(id) ?? []).map(({ doc_id }) => doc_id))
  const [gold, missing] = [ids(some), ids(without)]
  const corpus = rowsOf<{ id: string; title: string; text: string }>(`${folder}/corpus.jsonl`)
  const others = corpus.filter(({ id }) => !gold.has(id) && !missing.has(id)).filter((_, at) => at % 5 === 0)
  return { some, without, goldOf, sources: [...corpus.filter(({ id }) => gold.has(id)), ...others.slice(0, limit * 5)] }
}

const hopSet = (name: string, folder: string, limit: number): AnswerSet[] => {
  const { some, without, goldOf, sources } = multiHop(folder, limit, Math.ceil(limit / 2))
  const asked = (query: Query, answerable: boolean, documentOf: Map<string, string>): AskedQuestion => {
    const gold = answerable ? (goldOf.get(query.id) ?? []).map(({ doc_id }) => documentOf.get(doc_id)) : []
    return {
      question: query.text,
      answers: [query.answer, ...(query.aliases ?? [])].map((answer) => [answer]),
      answerable,
      gold: gold.length,
      goldIn: ({ documentId }) => gold.flatMap((id, at) => (id === documentId ? [at] : [])),
    }
  }
  return [
    { name, sources, questions: (documentOf) => some.map((query) => asked(query, true, documentOf)) },
    // This set adds no documents. Its questions cannot be answered from the documents of the set above.
    {
      name: `${name}, not told`,
      sources: [],
      questions: (documentOf) => without.map((query) => asked(query, false, documentOf)),
    },
  ]
}

type Table = TableQuestion & { answerable: boolean }
const tableFile = 'table_qa/docs/google-cloud-region-carbon.md'

const hasPart = ({ text }: Evidence, { row, value }: Table['parts'][number]): boolean =>
  text.split('\n').some((line) => {
    const said = ` ${tokens(line).join(' ')} `
    return [row, value].every((wanted) => wanted === null || said.includes(` ${tokens(wanted).join(' ')} `))
  })

const tableSet = (limit: number): AnswerSet => ({
  name: 'tables',
  sources: [
    {
      id: tableFile,
      title: 'Cloud region carbon and efficiency tables',
      text: readFileSync(`${root}/${tableFile}`, 'utf8'),
    },
  ],
  questions: () =>
    inTurns(
      rowsOf<Table>('table_qa/questions.jsonl').filter(({ doc }) => tableFile.includes(doc.replace(/\.pdf$/, ''))),
    )
      .slice(0, limit)
      .map((row) => {
        const gold = row.parts.filter((part) => part.row !== null)
        return {
          question: row.question,
          answers: [row.must_contain],
          answerable: row.answerable,
          gold: row.answerable ? gold.length : 0,
          goldIn: (passage) => gold.flatMap((part, at) => (hasPart(passage, part) ? [at] : [])),
        }
      }),
})

type BlogQuestion = {
  id: string
  question: string
  answerable: boolean
  must_contain: string[]
  doc: string
  support: string[]
}
const squeezed = (text: string): string => tokens(text).join(' ')

const blogSet = (limit: number): AnswerSet => {
  const rows = inTurns(rowsOf<BlogQuestion>('blog/qa.jsonl')).slice(0, limit)
  return {
    name: 'blog',
    sources: [...new Set(rows.map(({ doc }) => doc))].map((doc) => ({ id: doc, path: `${root}/blog/${doc}` })),
    questions: () =>
      rows.map(({ question, answerable, must_contain, support }) => ({
        question,
        answers: [must_contain],
        answerable,
        gold: answerable ? support.length : 0,
        goldIn: ({ text }) => support.flatMap((said, at) => (squeezed(text).includes(squeezed(said)) ? [at] : [])),
      })),
  }
}
const hasBlog = (): boolean =>
  hasSet('blog/qa.jsonl') && rowsOf<BlogQuestion>('blog/qa.jsonl').every(({ doc }) => existsSync(`${root}/blog/${doc}`))

export const answerSets: Record<string, (limit: number) => AnswerSet[] | null> = {
  tables: (limit) => (hasSet(tableFile) ? [tableSet(limit)] : null),
  hotpotqa: (limit) =>
    hasSet('retrieval/hotpotqa/queries.jsonl') ? hopSet('hotpotqa', 'retrieval/hotpotqa', limit) : null,
  musique: (limit) =>
    hasSet('retrieval/musique/queries.jsonl') ? hopSet('musique', 'retrieval/musique', limit) : null,
  blog: (limit) => (hasBlog() ? [blogSet(limit)] : null),
}
