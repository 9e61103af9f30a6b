import { answer } from '@plumbline/testing/model-server/answer'
import { wireForm } from '@plumbline/testing/scripted-model/wire-forms'
import { describe, expect, it } from 'vitest'
import { llmAnswer } from './answer/answer.llm'
import { llmCheck, llmCheckPart } from './check/check.llm'
import { callWith, dwellTime, harbours, history, useModel } from './skill/fixtures.spec'

const model = useModel()
const question = 'How long does boarding last?'
const boarding = 'Boarding lasts 20–30 minutes [3].'
const numbers = harbours.map(({ id }) => id)
const citations = [{ n: 3, passageId: 'pilots' }]
const supported = { claim: 1, reason: '', verdict: 'supported', passage: 3 }
const rated = { parts: [{ what: question, outcome: 'answered', claims: [1] }], usefulness: 5, confidence: 1 }

const requests = (): string[] => model.sent().map((messages) => messages.map(({ content }) => content).join('\n'))
const common = (texts: string[]): string => {
  const [first = '', ...others] = texts
  const differs = [...first].findIndex((_, at) => others.some((other) => other[at] !== first[at]))
  return differs < 0 ? first : first.slice(0, differs)
}
const writes = (evidence = harbours, ids = numbers) =>
  llmAnswer(model.chat, 12_000)({ question, steps: [], evidence, maxSentences: 4, numbers: ids }, callWith())

describe('the requests of one run', () => {
  it('begin alike: common rules, then each passage once', async () => {
    model.server().script(() => true, boarding)
    model.server().script('check-part', answer.json(wireForm('check-part', { claims: [supported] })))
    model.server().script('check', answer.json(wireForm('check', { claims: [supported], ...rated })))
    const draft = { question, steps: [], text: boarding, citations, evidence: harbours }
    await writes()
    await llmCheckPart(model.chat, 12_000)({ ...draft, known: 0 }, callWith())
    await llmCheck(model.chat, 12_000)({ ...draft, numbers }, callWith())

    const sent = requests()
    expect(sent).toHaveLength(3)
    const prefix = common(sent)
    for (const { text } of harbours) {
      expect(prefix).toContain(text)
      for (const request of sent) expect(request.split(text)).toHaveLength(2)
    }
    const passages = harbours.reduce((sum, { text }) => sum + text.length, 0)
    process.stdout.write(
      `Requests of answer, check-part and check: ${sent.map(({ length }) => length).join(', ')} characters, of which the first ${prefix.length} are the same, with ${passages} of passages.\n`,
    )
  })

  it('keep their beginning if a passage is appended', async () => {
    model.server().script(() => true, boarding)
    const memo = { ...history, id: 'memo', documentId: 'a-memo', text: 'Boarding was never easy.' }
    await writes()
    await writes([memo, ...harbours], [...numbers, 'memo'])
    const prefix = common(requests())
    for (const { text } of harbours) expect(prefix).toContain(text)
    expect(model.shown()[1]?.one('passage 5')).toContain(memo.text)
  })

  it('name the document and collection of a passage only where they change, and no page', async () => {
    model.server().script(() => true, boarding)
    const other = { ...dwellTime, id: 'other', documentId: 'quays', collection: 'quays', page: 3 }
    const bare = { ...other, id: 'bare', headingPath: [], text: 'Document: none of these.' }
    await writes([dwellTime, history, other, bare], ['dwell-time', 'history', 'other', 'bare'])
    const heads = requests()[0]?.match(/^(?:Document|Collection|Section): .*$/gm)
    expect(heads).toEqual([
      ...['Document: Harbour report', 'Collection: default', 'Section: Table 2. Dwell time', 'Section: History'],
      ...['Document: Harbour report', 'Collection: quays', 'Section: Table 2. Dwell time', 'Document: none of these.'],
    ])
    expect(model.shown()[0]?.passages.map(({ head }) => head.split('\n').slice(0, 2))).toEqual([
      ...[dwellTime, history, other, bare].map(({ title, collection }) => [title, collection]),
    ])
    expect(model.shown()[0]?.one('passage 4')).toBe(`\n${bare.text}`)
    expect(requests()[0]).not.toContain('Page:')
  })
})
