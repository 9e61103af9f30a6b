import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { onLoopback } from '@plumbline/testing/loopback'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from './generator-writing'
import { openHouse, type House } from './house'
import { endless, kinds, refused, type Kind } from './redis-kinds'

const truth = 'The lighthouse of Skerry is 31 metres high'
const invented = 'The lighthouse is 93 metres high'
const ask = { question: 'How high is the lighthouse of Skerry?', collection: 'islands' }

/** Adds a sentence that no passage supports if the question contains "Boast". */
const generator = generatorWriting((question) =>
  question.includes('Boast') ? `${truth} [1]. ${invented} [1].` : `${truth} [1].`,
)

const received: string[] = []
const server = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (piece: string) => received.push(piece))
  request.on('end', () => response.writeHead(204).end())
})
const folder = mkdtempSync(join(tmpdir(), 'plumbline-source-'))
writeFileSync(join(folder, 'note.md'), '# Note\n\nThe gate of Skerry is green.\n')
let receiver: Awaited<ReturnType<typeof onLoopback>>
beforeAll(async () => {
  receiver = await onLoopback(server)
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true })
})

describe.each(Object.entries(kinds))('on %s Redis', (name, start) => {
  let kind: Kind
  let house: House
  beforeAll(async () => {
    kind = await start()
    const stages = Object.values({ ...allStages, generator })
    const env = { SOURCE_FOLDERS: folder, ALLOW_PRIVATE_ADDRESSES: new URL(receiver.url).host }
    house = await openHouse({ stages, env, redis: kind })
  })
  afterAll(() => house.close())

  const parked = async (): Promise<RunView> => {
    const { id } = await house.client.ask({ ...ask, question: `Boast: ${ask.question}` })
    await expect.poll(async () => (await house.client.run(id)).status).toBe('parked')
    return house.client.run(id)
  }

  it(
    'documents are brought in, asked for, streamed, held, decided, cancelled and told of, and nothing is refused',
    { timeout: 60_000 },
    async () => {
      await house.client.putWebhook(name, { url: `${receiver.url}/${name}`, events: ['run.parked'] })
      await house.add('Skerry', `# Skerry\n\n${truth}. It was lit for the first time in 1887.`, 'islands')

      const { version, ...rules } = await house.client.rules()
      await house.client.putRules({ hold: rules.hold, deadline: rules.deadline, version })
      await house.client.createKey({ name: 'Desk', roles: ['reviewer'] })
      await house.client.putSource('notes', { settings: { kind: 'folder', path: folder }, collection: 'notes' })
      await house.client.runSource('notes')
      await expect
        .poll(async () => (await house.client.documents({ collection: 'notes' })).items[0]?.status)
        .toBe('indexed')

      const answered = await house.client.ask(ask, { waitSeconds: 20 })
      expect(answered).toMatchObject({ status: 'answered', answer: { text: `${truth} [1].` } })

      const told: string[] = []
      for await (const { type } of house.client.askEvents(ask)) told.push(type)
      expect(told).toContain('routed')
      expect(told.at(-1)).toBe('ended')

      const held = await parked()
      expect(JSON.stringify(held)).not.toContain('93 metres')
      const decision = {
        taskId: held.review?.taskId ?? '',
        decisionId: 'd1',
        action: 'approve',
        note: 'It is old.',
      } as const
      await house.client.decide(held.id, decision)
      expect(await house.client.run(held.id)).toMatchObject({ status: 'answered', reason: 'answered.decided' })

      const other = await parked()
      expect(await house.client.cancel(other.id)).toMatchObject({ status: 'cancelled' })
      await expect.poll(() => received.filter((body) => body.includes(held.id)).length).toBe(1)

      const many = await Promise.all(Array.from({ length: 8 }, () => house.client.ask(ask, { waitSeconds: 20 })))
      expect(many.filter(({ status }) => status === 'answered')).toHaveLength(8)
      expect(await refused(kind)).toEqual([])
      expect(await endless(kind)).toEqual([])
    },
  )
})
