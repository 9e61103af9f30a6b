import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decision } from '@plumbline/contracts'
import { openProcesses } from '@plumbline/adapters/redis/ops/processes'
import { createClient, ProblemError } from '@plumbline/client'
import { DelegatedCallers } from '@plumbline/gateway/admission/delegated-caller.service'
import type { Gateway } from '@plumbline/gateway'
import type { Common, KeyPorts } from '@plumbline/gateway/ports'
import { silent } from '@plumbline/platform'
import { readApiKeys } from '@plumbline/gateway/http/fixed-keys'
import { onceOnly, openBeside, openHouse, toPark, withPolicy, type House } from './house.spec'

const key = 'one-key-of-the-settings'
const other = 'another-key-of-settings'
const options = {
  apiKeys: `${key}:a:asker+reviewer+names-reviewers, ${other}:a:asker+reviewer+names-reviewers`,
  fourEyes: ['a'],
}
const unsalted = `key-${hash('sha256', key, 'hex').slice(0, 8)}`
let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  house = await openHouse(options)
})
afterAll(() => house.close())

const as = (sent: string, url = house.url) => createClient({ url, key: sent })
const approve = (decisionId: string): Decision => ({ taskId: 'review.1', decisionId, action: 'approve' })
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (done) => done,
    (error: unknown) =>
      error instanceof ProblemError ? error.problem.type.split(':').at(-1) : Promise.reject(error as Error),
  )

/** Runs the work as if a gateway of an older version, which does not salt the ids of keys, were running too. */
const besideOlder = async (work: (gateway: Gateway) => Promise<void>): Promise<void> => {
  const processes = openProcesses(house.redis)
  const older = { id: 'gateway.older', app: 'gateway', version: '1', host: 'h', pid: 1, startedAt: '', seenAt: '' }
  await processes.beat({ ...older, stages: [], lagMs: 0, memoryBytes: 1, active: 0, slots: {} }, Date.now())
  const gateway = await openBeside(house, options)
  try {
    await work(gateway)
  } finally {
    await gateway.close()
    await processes.gone('gateway.older')
  }
}

describe('the id of a key in the settings', () => {
  it('reveals nothing of the key or its hash, and is the same on every gateway', async () => {
    const { name } = await as(key).me()
    expect(name).toMatch(/^key-[0-9a-f]{12}$/)
    expect(hash('sha256', key, 'hex')).not.toContain(name.slice('key-'.length))
    const beside = await openBeside(house, options)
    try {
      expect((await as(key, beside.url).me()).name).toBe(name)
    } finally {
      await beside.close()
    }
    const elsewhere = await openHouse(options)
    try {
      expect((await as(key, elsewhere.url).me()).name).not.toBe(name)
    } finally {
      await elsewhere.close()
    }
  })

  it('is the one from before while a gateway of a version before is alive', () =>
    besideOlder(async ({ url }) => expect((await as(key, url).me()).name).toBe(unsalted)))
})

describe('one person with an id from before and a new one is one person', () => {
  const parkedBy = async (sent: string, url?: string): Promise<string> => {
    const { id } = await as(sent, url).ask({ question: 'What is Mars made of?', policy: 'once-only' })
    await house.report(id, ...toPark())
    return id
  }

  it('a caller may not release the answer to their own question, whichever id is older', async () => {
    let before = ''
    const now = await parkedBy(key)
    await besideOlder(async ({ url }) => {
      before = await parkedBy(key, url)
      expect(await refusal(as(key, url).decide(now, approve('d1')))).toBe('forbidden')
    })
    expect((await house.store.load(before))?.run.askedBy).toBe(unsalted)
    expect(await refusal(as(key).decide(before, approve('d1')))).toBe('forbidden')
    expect(await refusal(as(other).decide(before, approve('d1')))).toMatchObject({ status: 'parked' })
  })

  it.each([
    ['as a key', {}],
    ['as a person who is named once', { reviewer: 'rita' }],
  ])('a reviewer approves only once (%s)', async (_, named) => {
    const id = await parkedBy(other)
    await besideOlder(async ({ url }) => {
      const reviewer = createClient({ url, key })
      expect(await refusal(reviewer.decide(id, approve('d1'), named))).toMatchObject({ status: 'parked' })
    })
    expect(await refusal(as(key).decide(id, approve('d2')))).toBe('second-approval-needed')
    // A repeated request with the same decision id succeeds.
    expect(await refusal(as(key).decide(id, approve('d1'), named))).toMatchObject({ status: 'parked' })
  })

  it('batches and schedules continue, and stop once the key is gone', async () => {
    const keys = readApiKeys(options.apiKeys)
    keys.useSalt('salt', true)
    const { name } = keys.find(key) ?? { name: '' }
    const common = { settings: { markedAnswers: [] } } as unknown as Common
    const keyPorts = { fixedKey: keys.named, apiKeys: { get: () => Promise.resolve(null) } } as unknown as KeyPorts
    const askers = new DelegatedCallers(common, keyPorts)
    const kept = (id: string) => ({ name: id, roles: ['asker'], access: [] })
    for (const id of [unsalted, name]) expect(await askers.now('a', kept(id))).toMatchObject({ name })
    await expect(askers.now('a', kept('key-00000000'))).rejects.toThrow('is no longer valid')
    await expect(askers.now('b', kept(unsalted))).rejects.toThrow('is no longer valid')
  })
})

it('keys shorter than 24 characters are warned about at the start, without a letter of them', async () => {
  const warned: unknown[][] = []
  const log = {
    debug: silent.debug,
    info: silent.info,
    error: silent.error,
    warn: (...said: unknown[]) => void warned.push(said),
  }
  const gateway = await openBeside(house, {
    apiKeys: `short-key-1:a:asker,${'x'.repeat(24)}:a:asker,key-two-x:a:asker`,
    log,
  })
  await gateway.close()
  expect(warned).toContainEqual([{ entries: [1, 3] }, expect.stringMatching(/short keys: use 24 characters/)])
  expect(JSON.stringify(warned)).not.toMatch(/short-key-1|key-two-x/)
})
