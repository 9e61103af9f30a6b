import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import { Case, type Decision } from '@plumbline/contracts'
import { boastingStages, invented, question, skerry, truth } from '../boaster'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, type Visit, seriousFaults } from './browser'

const hostile = '<img src=x onerror="alert(1)"> [x](javascript:alert(1)) ![y](https://evil.example/p.png)'
const keys = 'asker-key-1:acme:asker,reviewer-key-1:acme:reviewer+asker,admin-key-1:acme:admin+operator'

let house: House | undefined
let browser: Browser | undefined
let admin: Client | undefined
beforeAll(async () => {
  house = await openHouse({
    stages: boastingStages,
    env: { CASES_DAYS: '30', API_KEYS: keys },
  })
  admin = createClient({ url: house.url, key: 'admin-key-1' })
  await admin.putCollection('islands', { description: 'Islands and their lights.', owner: 'Island team' })
  const { id } = await admin.addDocument({ title: 'Skerry', text: skerry, collection: 'islands' })
  await vi.waitUntil(async () => (await admin!.document(id)).status === 'indexed', { timeout: 20_000 })
  browser = await openBrowser()
  await decided({ action: 'approve', note: 'The source is old.' })
  await decided({ action: 'edit', text: `${truth} [1].`, note: hostile })
  await decided({ action: 'reject', note: 'The figure is invented.' })
  const ended = async () => (await admin!.cases()).items.filter(({ status }) => status !== undefined).length
  await vi.waitUntil(async () => (await ended()) === 3, { timeout: 20_000 })
}, 90_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const settled = async (id: string) => {
  for (;;) {
    const view = await admin!.run(id)
    if (view.status === 'parked' || view.timings.endedAt !== undefined) return view
    await wait(20)
  }
}
const decided = async (decision: Partial<Decision> & { action: Decision['action'] }): Promise<string> => {
  const { id } = await admin!.ask({ question, collection: 'islands' })
  const { review } = await settled(id)
  await admin!.decide(id, { taskId: review?.taskId, decisionId: 'd', ...decision } as Decision)
  await settled(id)
  return id
}
const visit = (more: Partial<Parameters<Browser['visit']>[0]> = {}): Promise<Visit> =>
  browser!.visit({ url: house!.url, key: 'admin-key-1', ...more })

describe('cases in the browser', () => {
  it('are listed, filtered by address, and open with draft, claims and decision', async () => {
    const own = await visit()
    const { page, faults } = own
    await page.goto('/desk/cases')
    await page.getByRole('link', { name: question }).first().waitFor()
    expect(await page.getByRole('link', { name: question }).count()).toBe(3)
    await page.getByLabel('Decision').selectOption('reject')
    await expect.poll(() => page.getByRole('link', { name: question }).count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?action=reject')
    expect(await seriousFaults(own.page)).toEqual([])
    await page.reload()
    await page.getByRole('link', { name: question }).click()
    await page.getByRole('heading', { name: question, level: 1 }).waitFor()
    expect(await page.getByLabel('Decision').textContent()).toContain('The figure is invented.')
    const claims = page.locator('.claims li')
    expect(await claims.count()).toBe(2)
    expect(await claims.filter({ hasText: invented }).textContent()).toContain('without evidence')
    await claims.filter({ hasText: 'supported' }).getByRole('button', { name: 'passage' }).click()
    await page.locator('.passages details[open]').waitFor()
    expect(await page.locator('.passages details[open]').textContent()).toContain('lit for the first time')
    expect(await seriousFaults(own.page)).toEqual([])
    expect(faults).toEqual([])
    await own.close()
  })

  it('show an edit as what it changed, and hostile notes as text', async () => {
    const own = await visit()
    await own.page.goto('/desk/cases?action=edit')
    await own.page.getByRole('link', { name: question }).click()
    const decision = own.page.getByLabel('Decision')
    await decision.waitFor()
    expect(await decision.locator('del').allTextContents()).toEqual([expect.stringContaining('93 metres')])
    expect(await decision.textContent()).toContain('onerror')
    expect(await own.page.locator('main img').count()).toBe(0)
    expect(await own.page.locator('main a[href^="javascript"]').count()).toBe(0)
    await decision.getByRole('button', { name: 'Reuse for the same question' }).click()
    await decision.getByRole('status').waitFor()
    const { id } = await admin!.ask({ question, collection: 'islands' })
    expect((await settled(id)).reason).toBe('answered.kept')
    await decision.getByRole('button', { name: 'Stop reusing this answer' }).click()
    await decision.getByRole('button', { name: 'Reuse for the same question' }).waitFor()
    expect(own.faults).toEqual([])
    await own.close()
  })

  it('are exported by an admin, removed by one, and neither by a reviewer', async () => {
    const own = await visit()
    await own.page.goto('/desk/cases?action=approve')
    const [saved] = await Promise.all([
      own.page.waitForEvent('download'),
      own.page.getByRole('button', { name: 'Export as JSONL' }).click(),
    ])
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => Case.parse(JSON.parse(line)).action)).toEqual(['approve'])
    await own.page.getByRole('link', { name: question }).click()
    await own.page.getByRole('button', { name: 'Remove this case' }).click()
    await own.page.getByRole('button', { name: 'Remove case' }).click()
    await own.page.waitForURL(/\/desk\/cases$/)
    await expect.poll(() => own.page.getByRole('link', { name: question }).count()).toBe(2)
    expect(own.faults).toEqual([])
    await own.close()
    const reviewer = await visit({ key: 'reviewer-key-1' })
    await reviewer.page.goto('/desk/cases')
    await reviewer.page.getByRole('link', { name: question }).first().waitFor()
    expect(await reviewer.page.getByRole('button', { name: 'Export' }).count()).toBe(0)
    await reviewer.close()
  })

  it('appear while the list is open', async () => {
    const own = await visit()
    await own.page.goto('/desk/cases?action=retry')
    await own.page.getByText('No case matches').waitFor()
    await decided({ action: 'retry', guidance: 'Say only what stands there.' })
    await own.page.getByRole('link', { name: question }).waitFor({ timeout: 20_000 })
    await own.close()
  })
})

describe('a case whose draft is Markdown', () => {
  it('shows the draft and its claims formatted, and that no model judged them', async () => {
    const { id } = await admin!.ask({ question, collection: 'islands' })
    const { review } = await settled(id)
    const text = `**${truth}** [1]. The lighthouse is \`93 metres\` high [1].`
    const named = { decisionId: 'markdown', taskId: review?.taskId ?? '' }
    await admin!.decide(id, { ...named, action: 'edit', text })
    await expect.poll(async () => (await admin!.run(id)).review?.taskId).not.toBe(review?.taskId)
    const taskId = (await settled(id)).review?.taskId ?? ''
    await admin!.decide(id, { taskId, decisionId: 'rejected', action: 'reject' })
    const found = async () => (await admin!.cases()).items.find((one) => one.runId === id && one.action === 'reject')
    await vi.waitUntil(found, { timeout: 20_000 })
    const own = await visit()
    await own.page.goto(`/desk/cases/${(await found())?.id}`)
    await own.page.getByText('no model checked the draft').waitFor()
    const claims = own.page.locator('.claims')
    await claims.locator('strong').getByText(truth).waitFor()
    await claims.locator('code').getByText('93 metres').waitFor()
    await own.page.getByText('Full text of the draft').click()
    await own.page.locator('details .prose strong').getByText(truth).waitFor()
    expect(await own.page.locator('main').innerText()).not.toMatch(/\*\*|by offline/)
    expect(await seriousFaults(own.page)).toEqual([])
    expect(own.faults).toEqual([])
    await own.close()
  })
})

describe('calibration in the browser', () => {
  it('shows each policy with its figures, and that they are too few', async () => {
    const own = await visit()
    await own.page.goto('/desk/cases/calibration')
    const policy = own.page.getByRole('region', { name: 'Policy standard' })
    await policy.waitFor()
    expect(await policy.textContent()).toMatch(/Too few drafts to propose a threshold: \d+ were held/)
    expect(await policy.locator('tbody tr').count()).toBe(6)
    expect(await policy.getByRole('columnheader', { name: /interval$/ }).count()).toBe(1)
    expect(await seriousFaults(own.page)).toEqual([])
    expect(own.faults).toEqual([])
    await own.close()
  })
})

describe('flags in the browser', () => {
  it('are a task for the owner, and asked again with the keyboard alone', async () => {
    const id = await decided({ action: 'approve', note: 'The source is old.' })
    await createClient({ url: house!.url, key: 'asker-key-1' }).feedback(id, { useful: false, note: hostile })
    const own = await visit()
    const { page } = own
    await page.goto('/desk/flags')
    const flag = page.locator('.flag')
    await flag.waitFor()
    expect(await flag.textContent()).toContain('Island team')
    expect(await page.locator('main img').count()).toBe(0)
    expect(await seriousFaults(own.page)).toEqual([])
    await flag.getByRole('button', { name: 'Ask again' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Replaced the page.')
    await page.keyboard.press('Enter')
    await page.getByText('No flagged answers').waitFor()
    await page.getByLabel('Status').selectOption('fixed')
    expect(await flag.textContent()).toContain('Replaced the page.')
    expect(new URL(page.url()).search).toBe('?status=fixed')
    expect((await admin!.runs()).items[0]).toMatchObject({ question })
    expect(own.faults).toEqual([])
    await own.close()
    const reviewer = await visit({ key: 'reviewer-key-1' })
    await reviewer.page.goto('/desk/flags?status=fixed')
    await reviewer.page.getByRole('link', { name: 'open the new run' }).click()
    await reviewer.page.getByRole('article', { name: question }).getByText('Held for review.').waitFor()
    await reviewer.page.reload()
    await reviewer.page.getByRole('link', { name: 'Review this answer' }).click()
    await reviewer.page.getByRole('heading', { name: question }).waitFor()
    expect(reviewer.faults).toEqual([])
    await reviewer.close()
  })

  it('reads its documents again before the question is asked again', async () => {
    const id = await decided({ action: 'approve', note: 'The source is old.' })
    await admin!.feedback(id, { useful: false })
    const { page, faults, close } = await visit({ key: 'reviewer-key-1' })
    await page.goto('/desk/flags')
    await page.locator('.flag').getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('button', { name: 'Reread documents, then ask' }).click()
    await page.getByText('No flagged answers').waitFor()
    await page.getByLabel('Status').selectOption('fixed')
    await page.getByText('Documents read again: Skerry (unchanged)').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})

describe('an answer kept from the desk', () => {
  const heldAt = async (asked: string): Promise<Visit> => {
    const { id } = await admin!.ask({ question: asked, collection: 'islands' })
    await settled(id)
    const own = await visit({ key: 'reviewer-key-1' })
    await own.page.goto(`/desk/${id}`)
    await own.page.getByRole('heading', { name: asked }).waitFor()
    return own
  }
  const kept = { name: /Reuse this answer when the question is asked again/ }

  it('is chosen by a key before the approval, and is in the list of keys', async () => {
    const { page, faults, close } = await heldAt('How high is the light of Skerry?')
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('reuse this answer when the question is asked again').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('checkbox', kept).isChecked()).toBe(false)
    await page.keyboard.press('s')
    expect(await page.getByRole('checkbox', kept).isChecked()).toBe(true)
    const sent = page.waitForRequest(/\/decision$/)
    await page.keyboard.press('a')
    expect((await sent).postDataJSON()).toMatchObject({ action: 'approve', keep: true })
    expect(faults).toEqual([])
    await close()
  })

  it('is chosen in the editor without a mouse, and nothing is pinned otherwise', async () => {
    const { page, faults, close } = await heldAt('How high is the lamp of Skerry?')
    await page.keyboard.press('e')
    await page.getByRole('checkbox', kept).focus()
    await page.keyboard.press('Space')
    const sent = page.waitForRequest(/\/decision$/)
    await page.keyboard.press('Control+Enter')
    expect((await sent).postDataJSON()).toMatchObject({ action: 'edit', keep: true })
    await page.getByText('takes effect in').waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('heading', { name: 'How high is the lamp of Skerry?' }).waitFor()
    const again = page.waitForRequest(/\/decision$/)
    await page.getByRole('button', { name: 'Approve' }).and(page.locator(':enabled')).waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    await page.keyboard.press('a')
    expect((await again).postDataJSON()).not.toHaveProperty('keep')
    expect(faults).toEqual([])
    await close()
  })
})
