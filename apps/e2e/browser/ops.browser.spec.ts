import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient, type Client } from '@plumbline/client'
import { stages } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { until } from '@plumbline/hosting/spec/bench'
import { scriptedHandlers } from '@plumbline/hosting/spec/scripted-handlers'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, type Visit, seriousFaults } from './browser'

const keys = {
  operator: 'operator-key-1',
  admin: 'admin-key-of-b',
  asker: 'asker-key-of-b',
  watcher: 'watcher-key-of-a',
  crowd: 'admin-key-of-c',
}
let [house, browser]: [House | undefined, Browser | undefined] = [undefined, undefined]
const as = (key: string): Client => createClient({ url: house!.url, key })
const visit = (key: string, more: { width?: number; dark?: boolean } = {}): Promise<Visit> =>
  browser!.visit({ url: house!.url, key, ...more })

const ask = (key: string, question: string) => as(key).ask({ question }, { waitSeconds: 20 })

beforeAll(async () => {
  const handlers = scriptedHandlers()
  house = await openHouse({
    stages: stages.map((stage) =>
      defineStage({ stage, env: z.object({}), limits: () => ({ attempts: 1 }), handlers: () => handlers }),
    ),
    env: {
      API_KEYS: `${keys.operator}:acme:admin+operator,${keys.admin}:beta:admin,${keys.asker}:beta:asker,${keys.watcher}:acme:operator,${keys.crowd}:gamma:admin`,
    },
  })
  browser = await openBrowser()
  const asked = [
    'What is part 1?',
    'What is part 2?',
    'What is it, again?',
    'Is Mars of cheese?',
    'Who drank the poison?',
  ]
  for (const question of asked) await ask(keys.operator, question)
  await ask(keys.admin, 'What does beta ask?')
  await until(async () => {
    if ((await as(keys.operator).history()).total.asked < 6) throw new Error('not all is counted yet')
  })
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

describe('the overview', () => {
  it('says whether it is well, shows every stage and what happened over time, and leads to the runs', async () => {
    const seen = await visit(keys.operator)
    const { page, faults } = seen
    await page.goto('/ops')
    await page.getByText('● accepting questions').waitFor()
    const tiles = page.getByRole('list', { name: 'Stages' }).getByRole('heading')
    expect(await tiles.allTextContents()).toEqual(['all runs', ...stages, 'ingest', 'desk'])
    await page.getByRole('status').getByText('researcher abandoned').waitFor()
    const chart = page.getByRole('region', { name: 'How runs ended', exact: true })
    await chart.locator('canvas').waitFor()
    await chart.getByText('Show as a table').click()
    const sum = (): Promise<number> =>
      chart
        .getByRole('row')
        .evaluateAll((rows) => rows.slice(1).reduce((all, row) => all + Number(row.children[1]?.textContent), 0))
    // Counts are stored shortly after a run ends, and the page reloads them every 15 s.
    const isComplete = async () => (await sum()) === (await as(keys.operator).history()).total.ended['answered']
    await expect.poll(isComplete).toBe(true)
    const tenants = page.getByRole('region', { name: 'tenant', exact: true })
    expect(await tenants.getByRole('rowheader').allTextContents()).toEqual(['acme', 'beta'])
    await tenants.getByRole('link', { name: 'beta' }).click()
    await page.getByRole('button', { name: 'tenant beta · show all tenants' }).waitFor()
    expect(page.url()).toContain('tenant=beta')
    await page.getByRole('button', { name: 'tenant beta · show all tenants' }).click()
    expect(await seriousFaults(seen.page)).toEqual([])
    await page.getByRole('link', { name: /^answered \d/ }).click()
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    expect(page.url()).toContain('status=answered')
    await page.getByRole('link', { name: 'What is part 1?' }).waitFor()
    expect(faults).toEqual([])
    await seen.close()
  })

  it('fits the range of the charts to the data', async () => {
    const { page, faults, close } = await visit(keys.operator)
    await page.goto('/ops')
    const chart = page.getByRole('region', { name: 'How runs ended', exact: true })
    await chart.getByText('Show as a table').click()
    const times = async (): Promise<number[]> => {
      const rows = await chart.getByRole('row').getByRole('rowheader').allTextContents()
      return rows.map((clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)))
    }
    const stepOf = ([last = 0, before = 0]: number[]): number => (last - before + 1_440) % 1_440
    await expect.poll(async () => stepOf(await times())).toBe(1)
    expect((await times()).length).toBeLessThan(30)
    expect((await times()).length).toBeGreaterThan(5)
    await page.getByLabel('Time range').selectOption('last 24 h')
    await expect.poll(async () => stepOf(await times())).toBe(15)
    expect(faults).toEqual([])
    await close()
  })

  it('pauses a stage after asking, and resumes it', async () => {
    const { page, faults, close } = await visit(keys.operator)
    await page.goto('/ops')
    await page.getByRole('button', { name: 'Pause grader' }).click()
    await page.getByRole('button', { name: 'Do not pause' }).click()
    expect((await as(keys.operator).overview()).stages.find(({ stage }) => stage === 'grader')?.paused).toBe(false)
    await page.getByRole('button', { name: 'Pause grader' }).click()
    await page
      .getByRole('group', { name: 'Pause grader?' })
      .getByRole('button', { name: 'Pause grader' })
      .press('Enter')
    await page.getByRole('button', { name: 'Resume grader' }).waitFor()
    await page.getByRole('status').getByText('grader is paused').waitFor()
    expect((await as(keys.operator).overview()).stages.find(({ stage }) => stage === 'grader')?.paused).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: 'Resume grader' }).click()
    await page.getByRole('button', { name: 'Pause grader' }).waitFor()
    expect((await as(keys.operator).overview()).stages.find(({ stage }) => stage === 'grader')?.paused).toBe(false)
    expect(faults).toEqual([])
    await close()
  })

  it('shows an admin its tenant, and an asker nothing', async () => {
    const { page, faults, close } = await visit(keys.admin)
    await page.goto('/ops')
    await page.getByRole('heading', { name: 'Runs of beta' }).waitFor()
    await page.getByRole('link', { name: 'What does beta ask?' }).waitFor()
    expect(await page.getByRole('list', { name: 'Stages' }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Ops' }).getByRole('link').allTextContents()).toEqual([
      'Overview',
      'Runs',
      'Abandoned tasks',
    ])
    expect(await page.getByText('acme').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
    const other = await visit(keys.asker)
    await other.page.goto('/ops')
    await other.page.getByText('Only operators and tenant admins').waitFor()
    expect(other.faults).toEqual([])
    await other.close()
  })
})

describe('a key that is only an operator', () => {
  it('sees counts of all tenants and no question, and has no page that shows one', async () => {
    const { page, faults, close } = await visit(keys.watcher)
    await page.goto('/')
    await page.getByText('● accepting questions').waitFor()
    expect(new URL(page.url()).pathname).toBe('/ops')
    await page.getByRole('list', { name: 'Stages' }).waitFor()
    const names = (label: string) => page.getByRole('navigation', { name: label }).getByRole('link').allTextContents()
    expect(await names('Main')).toEqual(['Ops', 'API keys'])
    expect(await names('Ops')).toEqual(['Overview', 'Processes', 'Abandoned tasks'])
    await page.getByText(/^answered \d/).waitFor()
    expect(await page.getByRole('link', { name: /^answered \d/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Abandoned tasks', exact: true }).click()
    await page.getByRole('region', { name: /^Abandoned tasks/ }).waitFor()
    expect(await page.getByText('Who drank the poison?').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})

describe('runs', () => {
  it('are found by filters in the URL, and read one after another by keyboard', async () => {
    const seen = await visit(keys.operator)
    const { page, faults } = seen
    await page.goto('/ops/runs')
    await page.getByText('5 runs').waitFor()
    await page.getByLabel('Question contains').fill('cheese')
    await page.keyboard.press('Enter')
    await page.getByText('1 run', { exact: true }).waitFor()
    await page.getByLabel('Status').selectOption('parked')
    await page.waitForURL('**/ops/runs?words=cheese&status=parked')
    await page.reload()
    await page.getByRole('link', { name: 'Is Mars of cheese?' }).waitFor()
    expect(await page.getByLabel('Question contains').inputValue()).toBe('cheese')
    expect(await seriousFaults(seen.page)).toEqual([])
    await page.getByLabel('Reason').selectOption('parked.budget')
    await page.getByText('No run matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
    await page.getByText('5 runs').waitFor()
    await page.getByRole('link', { name: 'What is it, again?' }).press('Enter')
    await page.getByRole('heading', { name: 'What is it, again?' }).waitFor()
    expect(faults).toEqual([])
    await seen.close()
  })

  it('are counted, sorted and kept up to date, and name reasons in sentences', async () => {
    const client = as(keys.crowd)
    await Promise.all(Array.from({ length: 52 }, (_, n) => client.ask({ question: `What is item ${n + 100}?` })))
    const { page, faults, close } = await visit(keys.crowd)
    await page.goto('/ops/runs')
    await page.getByText('50+ runs', { exact: true }).waitFor()
    const reasons = await page.getByLabel('Reason').getByRole('option').allTextContents()
    expect(reasons).toContain('The draft is held: the documents contradict one of its claims.')
    expect(reasons.filter((text) => /^[a-z_]+\.[a-z-]+$/.test(text))).toEqual([])

    await page.getByRole('columnheader', { name: 'Question' }).getByRole('button').click()
    await page.getByText('52 runs', { exact: true }).waitFor()
    const first = page.getByRole('region', { name: 'Runs' }).getByRole('link').first()
    await expect.poll(() => first.textContent()).toBe('What is item 100?')
    expect(await page.getByRole('columnheader', { name: 'Question' }).getAttribute('aria-sort')).toBe('ascending')
    expect(page.url()).toMatch(/\?sort=question$/)

    await client.ask({ question: 'A question of the meantime?' })
    await page.getByText('53 runs', { exact: true }).waitFor()
    expect(await first.textContent()).toBe('A question of the meantime?')
    expect(faults).toEqual([])
    await close()
  })

  it('show their ledger with what every event changed; are asked again, and judged', async () => {
    const client = as(keys.operator)
    const { items } = await client.runs({ words: 'again' })
    const seen = await visit(keys.operator)
    const { page, faults } = seen
    await page.goto(`/ops/runs/${items[0]!.id}`)
    const events = (await client.ledger(items[0]!.id, { audience: 'desk' })).items
    const moments = page.locator('.timeline > li')
    await page.getByText('Route', { exact: true }).waitFor()
    await page.getByText('All events and what they changed').click()
    await moments.nth(events.length - 1).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/\bp[0-9a-f]{12}/)
    expect(await moments.locator('> div > b').allTextContents()).toEqual(events.map(({ event }) => event.type))
    await moments.last().getByText('status: running answered').waitFor()
    expect(await seriousFaults(seen.page)).toEqual([])
    await page.getByLabel('Comment').fill('Well found.')
    await page.getByRole('button', { name: 'Useful', exact: true }).click()
    await page.getByText('Marked as useful.').waitFor()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(items[0]!.id))
    await page.getByText('answered', { exact: true }).first().waitFor()
    expect((await client.runs({ words: 'again' })).items).toHaveLength(2)
    expect(faults).toEqual([])
    await seen.close()
  })

  it('are cancelled from their page while in progress', async () => {
    const client = as(keys.operator)
    await client.pauseStage('researcher')
    const { id } = await client.ask({ question: 'What waits?' })
    const { page, faults, close } = await visit(keys.operator)
    await page.goto(`/ops/runs/${id}`)
    await page.getByRole('button', { name: 'Cancel this run' }).click()
    await page.getByText('The run was cancelled on request.').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel this run' }).count()).toBe(0)
    await client.resumeStage('researcher')
    expect(faults).toEqual([])
    await close()
  })
})

describe('processes and abandoned tasks', () => {
  it('are listed, and an abandoned question is asked again', async () => {
    const seen = await visit(keys.operator, { dark: true })
    const { page, faults } = seen
    await page.goto('/ops/processes')
    await page.getByRole('rowheader', { name: 'gateway' }).waitFor()
    await page.getByRole('rowheader', { name: 'house' }).waitFor()
    await page.getByText('1 process on 1 host, 1 version').waitFor()
    expect(await seriousFaults(seen.page)).toEqual([])
    await page.getByRole('link', { name: 'Abandoned tasks' }).click()
    await page.getByRole('link', { name: 'Who drank the poison?' }).first().waitFor()
    expect(await seriousFaults(seen.page)).toEqual([])
    await page
      .getByRole('button', { name: /^Ask again/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'asked again' }).click()
    await page.getByRole('heading', { name: 'Who drank the poison?' }).waitFor()
    expect(faults).toEqual([])
    await seen.close()
  })

  it('are asked again together', async () => {
    const client = as(keys.operator)
    await client.ask({ question: 'Who drank the poison?' })
    const endedRuns = async () => {
      const { items } = await client.abandoned()
      return new Set(items.flatMap(({ runId, status }) => (status === 'unanswered' ? [runId] : []))).size
    }
    await expect.poll(endedRuns, { timeout: 20_000 }).toBeGreaterThan(1)
    const { page, faults, close } = await visit(keys.operator)
    await page.goto('/ops/abandoned')
    await page.getByRole('button', { name: /^Ask all \d+ questions again$/ }).click()
    await page
      .getByRole('status')
      .getByText(/^\d+ asked again$/)
      .waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('fit a phone', async () => {
    const { page, faults, close } = await visit(keys.operator, { width: 390 })
    for (const path of ['', '/runs', '/processes', '/abandoned']) {
      await page.goto(`/ops${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390)
    }
    expect(faults).toEqual([])
    await close()
  })
})
