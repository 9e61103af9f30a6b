import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import type { Reply } from '../skill/skill'
import { replyContract } from './reply.contract'
import { llmReply } from './reply.llm'
import { offlineReply } from './reply.offline'

replyContract('offline', () => offlineReply)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const collections = [{ name: 'harbours', description: 'Ports of the north.' }]
const repliedOffline = async (more: Partial<Parameters<Reply>[0]>) =>
  (await offlineReply({ question: 'Hi', to: 'general', logic: '', collections, ...more }, call)).text

describe('offline reply', () => {
  it.each(['general', 'decline', 'knowledge'] as const)('names the collections: %s', async (to) => {
    expect(await repliedOffline({ to })).toMatch(/\n- harbours: Ports of the north\.$/)
    expect(await repliedOffline({ to, collections: [] })).toMatch(/There are no documents yet/)
  })

  it('cuts a long description at the end of a word', async () => {
    const text = await repliedOffline({ collections: [{ name: 'a', description: 'word '.repeat(100) }] })
    expect(text).toMatch(/word …$/)
    expect(text.length).toBeLessThan(300)
  })

  it('asks back in fixed words that repeat nothing of the question or the router', async () => {
    const asked = { question: 'Is Ada a thief?', logic: 'Which Ada is left open.' }
    for (const to of ['clarify', 'narrow', 'decline', 'general'] as const)
      expect(await repliedOffline({ ...asked, to })).toBe(await repliedOffline({ to }))
    expect(await repliedOffline({ to: 'clarify' })).not.toContain('harbours')
  })

  it('names the choices if there is more than one', async () => {
    expect(await repliedOffline({ to: 'narrow', dimensions: ['Allotments', 'Recycling'] })).toMatch(
      /\? I found: Allotments, Recycling\.$/,
    )
    expect(await repliedOffline({ to: 'narrow', dimensions: ['Allotments'] })).toBe(
      await repliedOffline({ to: 'narrow' }),
    )
  })
})

const model = useModel()
const input = {
  question: 'How heavy is it?',
  to: 'clarify' as const,
  logic: 'It leaves open which planet.',
  collections: [{ name: 'planets 2024', description: 'Mass and moons.' }],
}
const replied = (fields: Partial<Parameters<Reply>[0]> = {}) =>
  llmReply(model.chat)({ ...input, ...fields }, callWith())
const says = (text: string): void => model.server().script(() => true, text)

describe('a reply by a model', () => {
  it('sees the router’s logic, the descriptions of the collections and the choices', async () => {
    says('Which planet do you mean?')
    expect(await replied()).toEqual({ text: 'Which planet do you mean?', written: true })
    await replied({ to: 'narrow', dimensions: ['Mars', 'Venus'] })
    expect(model.shown()[1]?.all.map(({ text }) => text)).toEqual([
      'planets 2024\nMass and moons.',
      'It leaves open which planet.',
      '- Mars\n- Venus',
      'How heavy is it?',
    ])
    for (const to of ['general', 'decline', 'knowledge'] as const) await replied({ to })
    expect(new Set(model.shown().map(({ task }) => task)).size).toBe(5)
  })

  it.each([
    'See https://pay.example for more.',
    'Write to help@pay.example.',
    'Look at pay.example/login.',
    'Mars weighs 6 times less.',
    'Call +49 30 1234567.',
    'Mars weighs ６ tonnes.',
  ])('falls back to fixed words if the model writes an address or a figure: %s', async (text) => {
    says(text)
    expect(await replied()).toEqual(await offlineReply(input, callWith()))
  })

  it('can name a collection whose name has digits', async () => {
    says('I answer from planets 2024.')
    expect(await replied({ to: 'general' })).toMatchObject({ written: true })
  })

  it('can be refused, and throws on an empty text', async () => {
    model.server().script(() => true, answer.refused('Not this.'))
    expect(await replied()).toEqual({ text: '', refused: 'Not this.' })
    says('')
    await expect(replied()).rejects.toMatchObject({ code: 'model.malformed' })
  })
})
