import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Evidence } from '@plumbline/contracts'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import { answer } from '@plumbline/testing/model-server/answer'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { isAt, rows, workedOut, type Row } from '@plumbline/testing/scripted-model/good-model'
import { promptTo } from '@plumbline/testing/scripted-model/prompt-content'

export const models = { small: 'gpt-4.1-mini', strong: 'gpt-4.1' }
const peers = join(import.meta.dirname, '../../lab/bench/peers')

const plainly = ({ title, headingPath, text }: Evidence): string => `${[title, ...headingPath].join(' › ')}\n${text}`

const questionMark = /question:(?:\n\n| )(.*)$/im
const rowAsked = (asked: ModelRequest): Row | undefined => {
  const question = questionMark.exec(promptTo(asked))?.[1]
  return rows.find((row) => row.question === question)
}

const showsSource = (asked: ModelRequest, { sources }: Row): boolean => {
  const [, document = ''] = /Retrieved document:\n\n([\s\S]*)\n\nUser question/.exec(promptTo(asked)) ?? []
  const [head = '', ...body] = document.split('\n')
  const [title = '', ...sections] = head.split(' › ')
  const passage = { n: 0, head: `${title}\n\n${sections.join(' › ')}`, body: body.join('\n') }
  return Object.values(sources).some((source) => isAt(source, passage))
}

export const scriptContenders = (model: ModelServer): void => {
  const yes = { binary_score: 'yes' }
  model.script('grade-document', (asked) => {
    const row = rowAsked(asked)
    return answer.json({ binary_score: row && showsSource(asked, row) ? 'yes' : 'no' })
  })
  model.script('route-question', answer.json({ datasource: 'vectorstore' }))
  model.script('grade-hallucination', answer.json(yes))
  model.script('grade-useful', answer.json(yes))
  model.script(
    { kind: 'chat', text: /question re-writer/ },
    (asked) => rowAsked(asked)?.route.queries[0] ?? 'A better question.',
  )
  model.script({ kind: 'chat', text: /an assistant for question-answering tasks/ }, (asked) => {
    const row = rowAsked(asked)
    if (!row) throw new Error(`no recorded answer for ${promptTo(asked).slice(-200)}`)
    return workedOut(row, row.answer)
  })
}

export type Timed = { first: number; whole: number }

export const plainCall = async (
  model: ModelServer,
  retrieve: () => Promise<unknown>,
  question: string,
  evidence: Evidence[],
): Promise<Timed> => {
  const from = performance.now()
  await retrieve()
  const system =
    "You are an assistant for question-answering tasks. Use the following numbered passages to answer the question, and cite them like [1]. If you don't know the answer, just say that you don't know. Keep the answer concise."
  const context = evidence.map((passage, at) => `[${at + 1}] ${plainly(passage)}`).join('\n\n')
  const response = await fetch(`${model.openaiUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer a-key' },
    body: JSON.stringify({
      model: models.strong,
      stream: true,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: `${context}\n\nQuestion: ${question}` },
      ],
    }),
  })
  let text = ''
  let first: number | undefined
  if (!response.body) throw new Error('The plain call got no answer.')
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const [, data = ''] of chunk.matchAll(/^data: (\{.*\})$/gm))
      text += (JSON.parse(data) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? ''
    if (first === undefined && /[.!?:。]\s|\n/.test(text)) first = performance.now() - from
  }
  const whole = performance.now() - from
  return { first: first ?? whole, whole }
}

export const startGraph = (model: ModelServer, form: 'corrective' | 'adaptive') => {
  const child = spawn(
    process.execPath,
    [join(peers, 'graphs.mjs'), model.openaiUrl, form, models.small, models.strong],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const waiting = new Map<number, (said: { error?: string }) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as { id: number; error?: string }
    waiting.get(said.id)?.(said)
    waiting.delete(said.id)
  })
  let serial = 0
  return {
    ask: async (retrieve: () => Promise<unknown>, question: string, evidence: Evidence[]): Promise<Timed> => {
      const from = performance.now()
      await retrieve()
      const id = (serial += 1)
      const answered = new Promise<{ error?: string }>((resolve) => waiting.set(id, resolve))
      child.stdin.write(`${JSON.stringify({ id, question, documents: evidence.map(plainly) })}\n`)
      const { error } = await answered
      if (error) throw new Error(`The ${form} graph failed: ${error}`)
      const whole = performance.now() - from
      return { first: whole, whole }
    },
    close: async (): Promise<void> => {
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}
