import axe from 'axe-core'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import type { Decision } from '@plumbline/contracts'

export type Visit = {
  page: Page
  context: BrowserContext
  /** Faults of a page: console errors, failed loads, requests to other origins. Clear it after an intended fault. */
  faults: string[]
  close(): Promise<void>
}

type Visiting = {
  url: string
  /** Signs in with this key before the first page is shown. */
  key?: string
  width?: number
  height?: number
  dark?: boolean
}

export type Browser = { visit(visiting: Visiting): Promise<Visit>; close(): Promise<void> }

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP plumbline.test 127.0.0.1',
]

/**
 * Gives the gateway a name of the network, so that the browser treats it as plain HTTP from another machine: no secure context.
 * A gateway without keys answers to this machine's own names only.
 */
const addressFor = (url: string, key: string | undefined): string =>
  key === undefined ? url : url.replace('127.0.0.1', 'plumbline.test')

// Chromium protects a page by this header only in secure contexts, and reports so on each load.
const ignoredHeader = 'The Cross-Origin-Opener-Policy header has been ignored'

const watchFaults = (page: Page, url: string): string[] => {
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith(ignoredHeader))
      faults.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('request', (request) => {
    if (!/^(?:blob|data):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin)
      faults.push(`another origin: ${request.url()}`)
  })
  return faults
}

/** Navigates like a link of the app: nothing is reloaded, and work of the earlier page continues. */
export const follow = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), address)

/** Lets a decision of this page count after a moment, once it was seen that the page asked for ten seconds. */
export const countSoon = (page: Page): Promise<unknown> =>
  page.route('**/decision', async (route) => {
    const decision = route.request().postDataJSON() as Decision
    if (decision.undoMs !== 10_000) return route.abort()
    await route.continue({ postData: { ...decision, undoMs: 500 } })
  })

/** The system's Chromium without a window; every visit has storage of its own. */
export const openBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: quiet,
  })
  return {
    visit: async ({ url: local, key, width = 1_280, height = 800, dark = false }) => {
      const url = addressFor(local, key)
      const context = await browser.newContext({
        baseURL: url,
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      })
      if (key !== undefined)
        await context.addInitScript(`sessionStorage.setItem('plumbline.key', ${JSON.stringify(key)})`)
      const page = await context.newPage()
      return { page, context, faults: watchFaults(page, url), close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

type Dropped = { name: string; content: string | Buffer }
/** Files that are dropped on a page, as somebody drags them there. */
export const drop = async (page: Page, files: Dropped[]): Promise<void> => {
  const held = await page.evaluateHandle(
    (all) => {
      const transfer = new DataTransfer()
      for (const { name, bytes } of all) transfer.items.add(new File([new Uint8Array(bytes)], name))
      return transfer
    },
    files.map(({ name, content }) => ({ name, bytes: [...Buffer.from(content)] })),
  )
  for (const event of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('h1', event, { dataTransfer: held })
}

/** Returns the serious and critical findings of axe on a page, with their locations. */
export const seriousFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Moves from control to control by keyboard. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  const button = page.getByRole('button', { name })
  for (let steps = 0; steps < 60; steps += 1) {
    if (await button.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} is not reached`)
}
