import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { openHouse, type House } from './house'

let house: House
beforeAll(async () => {
  house = await openHouse({ env: { EMBEDDING_MODEL: 'none' } })
  await house.add('Planets', await readFile(new URL('../../sample/planets.md', import.meta.url), 'utf8'), 'planets')
})
afterAll(() => house.close())

/** Asks both questions in one thread, and returns the run of the second. */
const secondOf = async (threadId: string, first: string, second: string): Promise<RunView> => {
  const ended = async (question: string): Promise<RunView> => {
    const { id } = await house.client.ask({ question, threadId, collection: 'planets' })
    await expect.poll(async () => (await house.client.run(id)).timings.endedAt).toBeDefined()
    return house.client.run(id)
  }
  await ended(first)
  return ended(second)
}

describe('a conversation without a model', () => {
  it('quotes nothing of the last subject for a question without a known word', async () => {
    const { status, answer, standalone } = await secondOf('unknown', 'What is the mean density of Saturn?', 'asdf qwer')
    expect([status, standalone]).toEqual(['unanswered', undefined])
    expect(answer?.text).not.toContain('Saturn')
  })

  it('searches a question about something else alone', async () => {
    const { answer, queries, standalone } = await secondOf(
      'another',
      'What is the mean density of Mars?',
      'Who discovered Titan?',
    )
    expect([queries, standalone]).toEqual([['Who discovered Titan?'], undefined])
    expect(answer?.text).toContain('Christiaan Huygens')
    expect(answer?.text).not.toContain('3,934')
  })

  it('takes the last subject over for a question that continues it', async () => {
    const { answer } = await secondOf('continued', 'What is the mean density of Mars?', 'And of Venus?')
    expect(answer?.text).toContain('5,243')
  })
})
