import axe from 'axe-core'
import { chromium, type BrowserContext, type Page, type Response } from 'playwright-core'
import type { Decision } from '@plumbline/contracts'
import { compareAnswer, compareLater, isCompared, isFromGateway } from '@plumbline/testing/compare-answers'

export type Visit = {
  page: Page
  context: BrowserContext
  /** The console errors, failed loads and requests to other origins. A spec that causes them must clear this list. */
  faults: string[]
  close(): Promise<void>
}

type Visiting = {
  url: string
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
 * Returns an address with a host name, so that the browser does not treat the page as a secure context. A gateway
 * without keys accepts only local names, so its address stays unchanged.
 */
const addressFor = (url: string, key: string | undefined): string =>
  key === undefined ? url : url.replace('127.0.0.1', 'plumbline.test')

// Outside of secure contexts, Chromium ignores this header and logs this message on each load.
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

/** Compares a response with the API description. For a stream, this is possible only after the stream has ended. */
const compareResponse = (response: Response): void => {
  const headers = response.headers()
  if (!isFromGateway((header) => header in headers)) return
  const type = headers['content-type'] ?? ''
  const answer = {
    method: response.request().method(),
    path: new URL(response.url()).pathname,
    status: response.status(),
    type,
  }
  if (isCompared(type)) compareLater(answer, response.text())
  else compareAnswer(answer)
}

/** Opens a page as a link of the app does, without a reload. */
export const follow = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), address)

/** Shortens the time for an undo from 10 s to 0.5 s. If the page asks for another time than 10 s, the request fails. */
export const countSoon = (page: Page): Promise<unknown> =>
  page.route('**/decision', async (route) => {
    const decision = route.request().postDataJSON() as Decision
    if (decision.undoMs !== 10_000) return route.abort()
    await route.continue({ postData: { ...decision, undoMs: 500 } })
  })

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
      context.on('response', compareResponse)
      const page = await context.newPage()
      return { page, context, faults: watchFaults(page, url), close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

type Dropped = { name: string; content: string | Buffer }
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

export const seriousFaults = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

export const tabTo = async (page: Page, name: string): Promise<void> => {
  const button = page.getByRole('button', { name })
  for (let steps = 0; steps < 60; steps += 1) {
    if (await button.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`60 Tab keys did not reach the button ${name}`)
}
