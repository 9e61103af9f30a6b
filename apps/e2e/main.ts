import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, type Client } from '@plumbline/client'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { screens } from '@plumbline/commands/rows/pages.mjs'
import { freePort } from '@plumbline/platform'
import { openBrowser } from './browser/browser'

const forms = {
  light: { width: 1_280, height: 800, dark: false },
  dark: { width: 1_280, height: 800, dark: true },
  phone: { width: 390, height: 844, dark: false },
}

const startHouse = async (dataDir: string) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [resolve('dist/local/main.mjs')], {
    env: { ...process.env, PORT: `${port}`, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (piece: Buffer) => piece.includes('Plumbline is ready') && ready.resolve())
  child.once('exit', (code) => ready.reject(new Error(`the start ended with ${code}`)))
  await ready.promise
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
  return { client: createClient({ url }), url, stop }
}

const furnish = async (client: Client): Promise<Record<string, string>> => {
  const threadId = 'planets'
  const question = 'What is the length of day of Mars and how many moons did Saturn have in 2023?'
  const { id } = await client.ask({ question, threadId, collection: 'sample' }, { waitSeconds: 30 })
  const [document] = (await client.documents({ collection: 'sample' })).items
  const [held] = (await client.reviews()).items
  return {
    ask: '/',
    thread: `/threads/${threadId}`,
    documents: '/documents',
    collection: '/documents/sample',
    document: `/documents/sample/${document?.id}`,
    search: '/documents/sample/search?q=moons%20of%20Saturn',
    desk: '/desk',
    item: `/desk/${held?.runId}`,
    rules: '/desk/rules',
    cases: '/desk/cases',
    flags: '/desk/flags',
    ops: '/ops',
    runs: '/ops/runs',
    run: `/ops/runs/${id}`,
    processes: '/ops/processes',
    abandoned: '/ops/abandoned',
    keys: '/keys',
  }
}

const take = async (folder: string): Promise<number> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-screens-'))
  mkdirSync(folder, { recursive: true })
  const house = await startHouse(dataDir)
  const browser = await openBrowser()
  let count = 0
  try {
    const addresses = await furnish(house.client)
    for (const [form, size] of Object.entries(forms)) {
      const { page, faults, close } = await browser.visit({ url: house.url, ...size })
      for (const [name, address] of Object.entries(addresses)) {
        await page.goto(address)
        await page.locator('main:not([aria-busy="true"])').waitFor()
        // Charts and passages load after the first paint. No event reports when they are complete.
        await wait(700)
        await page.screenshot({ path: join(folder, `${name}-${form}.png`) })
        count += 1
      }
      for (const fault of faults) process.stderr.write(`${form}: ${fault}\n`)
      await close()
    }
  } finally {
    await browser.close()
    await house.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return count
}

const [given = '.data/screens'] = readWordsOrExit(screens, process.argv.slice(2)).positionals
const folder = resolve(given)
const count = await take(folder)
process.stdout.write(`${count} pictures in ${folder}\n`)
