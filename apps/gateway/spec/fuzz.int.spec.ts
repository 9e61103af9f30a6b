import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { fuzzApi } from '@plumbline/testing/api-fuzz'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const cases = 5_000

let house: House
let ids: string[]
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  // Nobody works here: who waited for a thread would wait until its time is over.
  house = await openHouse({ threads: 'refuse' })
  const [held, answered] = [
    await house.client.ask({ question: 'Held?', policy: 'once-only' }),
    await house.client.ask({ question: 'Answered?' }),
  ]
  await house.report(held.id, ...toPark())
  await house.report(answered.id, ...toAnswer())
  const document = await house.client.addDocument({ title: 'Mars', text: 'Red.' })
  const key = await house.client.createKey({ name: 'x', roles: ['asker'] })
  ids = [held.id, answered.id, document.id, key.id]
})
afterAll(() => house.close())

it(`${cases} requests made from the description of the API are never answered 5xx, and every refusal is a problem`, async () => {
  const statuses = await fuzzApi({ url: house.url, ids, cases, seed: inject('seed') })
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 204, 400, 404]))
}, 120_000)
