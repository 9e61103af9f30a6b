import { Unfit } from '@plumbline/ports/document-parser'
import { serveReading } from '../child/serve-reading'

const held: Uint8Array[] = []
const forever = (): never => {
  for (;;) Math.sqrt(2)
}

const busyFor = (ms: number): void => {
  const spent = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  for (const from = spent(); spent() - from < ms;) Math.sqrt(2)
}

/** The content of a file selects the behavior. */
const behave: Record<string, (rest: string, onPage: (done: number, of: number) => void) => string> = {
  say: (rest) => rest,
  pages: (rest, onPage) => {
    for (let page = 1; page <= Number(rest); page++) onPage(page, Number(rest))
    return rest
  },
  toil: (rest, onPage) => {
    const [pages = 0, ms = 0] = rest.split(' ').map(Number)
    for (let page = 1; page <= pages; page++) onPage(page, pages)
    busyFor(ms)
    return rest
  },
  pid: () => `${process.pid}`,
  env: () => JSON.stringify(process.env),
  refuse: (rest) => {
    throw new Unfit('encrypted', rest, { page: 3 })
  },
  fault: (rest) => {
    throw new TypeError(rest)
  },
  exit: (rest) => process.exit(Number(rest)),
  abort: () => process.abort(),
  spin: forever,
  swell: () => {
    for (;;) held.push(Buffer.alloc(20_000_000, 1))
  },
  heap: () => {
    const all: string[][] = []
    for (;;) all.push(Array.from({ length: 100_000 }, (_, n) => `${n}-${all.length}`))
  },
  keep: (rest) => {
    held.push(Buffer.alloc(Number(rest) * 1_000_000, 1))
    return rest
  },
  overfill: (rest) => {
    held.push(Buffer.alloc(Number(rest) * 1_000_000, 1))
    throw new Unfit('too-large', 'Too large.')
  },
  long: (rest) => 'x'.repeat(Number(rest)),
  noise: () => {
    for (let n = 0; n < 1_000; n++) process.stderr.write('x'.repeat(10_000))
    return 'quiet again'
  },
  peek: (rest) => {
    process.getBuiltinModule('node:fs').readFileSync(rest)
    return 'it was read'
  },
  start: () => {
    process.getBuiltinModule('node:child_process').execSync('true')
    return 'it was started'
  },
}

serveReading({
  read: async (bytes, _order, { onPage }) => {
    const [act = '', ...rest] = Buffer.from(bytes).toString().split(' ')
    if (act === 'wait') await new Promise(() => undefined)
    const text = behave[act]?.(rest.join(' '), onPage)
    return { markup: 'text', parts: [{ text: text ?? '' }] }
  },
  draw: () => Promise.resolve(null),
})
