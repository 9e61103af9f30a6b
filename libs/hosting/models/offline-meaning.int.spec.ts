import { chunk } from '@plumbline/knowledge/chunking/chunk'
import type { Evidence } from '@plumbline/contracts'
import { readEnv, silent } from '@plumbline/platform'
import { describe, expect, it } from 'vitest'
import { openModels } from './models'
import { ModelsEnv } from './models.env'

const text = `# Pumps

The pump needs oil once a month. Only a trained person opens the pump.

# Canteen

Lunch is served from noon to two. The menu changes every Monday.

# Leave

Employees have 15 days of vacation every year. Ask your manager two weeks before.`
const evidence = chunk({ id: 'd', collection: 'c', title: 'Handbook' }, { markup: 'markdown', parts: [{ text }] }).map(
  (passage): Evidence => ({ ...passage, scores: {}, query: '' }),
)

const ask = async (EMBEDDING_MODEL: string, question: string, followUp?: string) => {
  const { skills } = await openModels(readEnv(ModelsEnv, { EMBEDDING_MODEL }), { log: silent })
  const input = { question, steps: [], evidence, maxSentences: 4, keep: [], avoid: [], perPassage: false, followUp }
  const call = { signal: new AbortController().signal, tier: 'strong' as const, temperature: 0 }
  return skills.answer(input as Parameters<typeof skills.answer>[0], call)
}
const firstQuote = async (...asked: Parameters<typeof ask>): Promise<string> => {
  const draft = await ask(...asked)
  return draft.kind === 'quoted' ? (draft.quotes[0]?.text ?? '') : draft.kind
}

describe('quotes without a model', () => {
  it('lead with the sentence that answers in other words, which words alone do not find', async () => {
    const question = 'How much paid time off do I get?'
    expect(await firstQuote('built-in', question)).toContain('15 days of vacation')
    expect(await firstQuote('none', question)).not.toContain('15 days of vacation')
  })

  it('are not made of passages about something else', async () => {
    for (const question of ['How do I bake sourdough bread?', 'Who won the football match last night?'])
      expect([await ask('built-in', question), (await ask('none', question)).kind]).toEqual([
        { kind: 'distant' },
        'quoted',
      ])
  })

  it('are made for a follow-up, which may leave out its subject', async () =>
    expect((await ask('built-in', 'And who won last night?', 'And who won last night?')).kind).toBe('quoted'))

  it('need a nearer sentence if the passages contain no word of the question', async () => {
    const [none, some] = ['Is bitcoin cheap?', 'Is bitcoin a pump?']
    expect([(await ask('built-in', none)).kind, (await ask('built-in', some)).kind]).toEqual(['distant', 'quoted'])
  })

  it('are made in languages that the encoder does not know', async () =>
    expect((await ask('built-in', 'Wer hat gestern das Fußballspiel gewonnen?')).kind).toBe('quoted'))
})
