import type { Client } from '@plumbline/client'
import { type ModelServer } from '@plumbline/testing/model-server/model-server'
import type { ModelRequest } from '@plumbline/testing/model-server/request'
import { messagesOf, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { scriptOf } from '@plumbline/testing/scripted-model/plain-model'

export const places = ['Skerry', 'Vardby', 'Orm', 'Kelso']
const facts = [
  'was lit in 1887',
  'is 31 metres high',
  'is tended by two keepers',
  'is painted white',
  'is built of granite',
  'shows a flash in ten seconds',
]
export const questionOf = (place: string): string => `What is said of the lighthouse of ${place}?`
export const question = `What is said of the lighthouses of ${places.join(', ')}?`
export const policy = {
  name: 'bench',
  extends: 'standard',
  plan: 'always',
  perQuery: 2,
  atLeast: 6,
  queriesPerStep: 2,
  gradeEvidence: 'first',
}

const usual = { kind: 'lognormal', medianMs: 700, sigma: 0.35, mostMs: 2_000 } as const
const writing = { kind: 'lognormal', medianMs: 1_500, sigma: 0.25, mostMs: 2_500 } as const

const isAnswer = ({ kind, name }: { kind: string; name: string | undefined }): boolean =>
  kind === 'chat' && name === undefined

const answered = (prompt: string): string =>
  places
    .flatMap((place) => {
      const sentence = `The lighthouse of ${place} ${facts[1]}`
      const passage = readPrompt(prompt).all.find(
        ({ name, text }) => name.startsWith('passage ') && text.includes(sentence),
      )
      return passage ? [`${sentence} [${passage.name.replace('passage ', '')}].`] : []
    })
    .join(' ')

const userOf = (request: { body: unknown }): string =>
  messagesOf(request).find(({ role }) => role === 'user')?.content ?? ''
export const questionInPrompt = (request: { body: unknown }): string => readPrompt(userOf(request)).one('question')

/** Each query contains the report number, so that different questions share no cached search. */
const written = (asked: ModelRequest) => {
  const report = asked.kind === 'chat' ? (/report \d+/.exec(userOf(asked))?.[0] ?? '') : ''
  return scriptOf([
    { name: 'route', when: /./, answer: { collections: ['lights'], simple: false } },
    {
      name: 'plan',
      when: /./,
      answer: {
        logic: 'One step for each lighthouse.',
        steps: places.map((place) => ({
          question: questionOf(place),
          waitsFor: null,
          queries: ['height and building', 'keepers and light'].map((what) =>
            `${what}, ${questionOf(place)} ${report}`.trim(),
          ),
        })),
      },
    },
  ])(asked)
}

export const scriptLighthouses = (model: ModelServer): void => {
  model.script(() => true, written)
  model.script(isAnswer, (asked) => answered(userOf(asked)))
}

export const answerAsModelsDo = (model: ModelServer): void => {
  model.latency(usual)
  model.latency(writing, isAnswer)
}

/** Repeats a call after `Retry-After`, which the gateway sends if Redis answers too late on a busy machine. */
export const retryWhenBusy = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++)
    try {
      return await call()
    } catch (error) {
      const { retryAfter } = error as { retryAfter?: number }
      if (retryAfter === undefined || tries === 20) throw error
      await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000))
    }
}

export const whenIndexed = async (client: Client, id: string): Promise<void> => {
  for (;;) {
    const { status, title, error } = await retryWhenBusy(() => client.document(id))
    if (status === 'indexed') return
    if (status === 'failed') throw new Error(`${title} failed: ${error}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const addLighthouses = async (client: Client, more = ''): Promise<void> => {
  for (const place of places)
    for (const fact of facts) {
      const text = `The lighthouse of ${place} ${fact}. ${more}`.trim()
      const document = { title: `${place}, ${fact}`, text, collection: 'lights' }
      await whenIndexed(client, (await retryWhenBusy(() => client.addDocument(document))).id)
    }
}
