import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/** Matches the parts of an output that are different in every run, such as ids and times. */
const changing =
  /pl_[0-9a-f]{64}|whsec_[\w+/]+=*|\b[rdb][0-9a-z]{24}\b|key-[0-9a-f]{12}|\d{13}-\d+|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{64}\b|(?<=^retry-after: )\d+/gim

const fence = /^```console\n(.*?)^```$/gms

export type Shell = { run(command: string): Promise<string>; close(): void }

export const openShell = (cwd: string, env: Record<string, string | undefined>): Shell => {
  const child = spawn('bash', ['-c', 'exec 2>&1; exec bash'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  let output = ''
  let told = (): void => undefined
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString()
    told()
  })
  return {
    run: (command) =>
      new Promise((resolve) => {
        const mark = randomUUID()
        told = () => {
          const at = output.indexOf(`${mark}\n`)
          if (at < 0) return
          const answer = output.slice(0, at)
          output = output.slice(at + mark.length + 1)
          resolve(answer)
        }
        child.stdin.write(`${command}\necho ${mark}\n`)
      }),
    // Kill the whole process group, because commands may have left processes running.
    close: () => void (child.pid && process.kill(-child.pid, 'SIGKILL')),
  }
}

type Step = { command: string; answer: string }

/** Returns whether a command continues on the next line, because of a backslash, a quote, a loop or input until END. */
const isOpen = (lines: string[]): boolean => {
  const text = lines.join('\n')
  const isInput = text.includes("<<'END'") && lines.at(-1) !== 'END'
  const isLoop = / do$/m.test(text) && !/^ *done/m.test(text)
  return isInput || isLoop || text.endsWith('\\') || text.split("'").length % 2 === 0
}

const stepsOf = (block: string): Step[] => {
  const steps: { command: string[]; answer: string[] }[] = []
  for (const line of block.split('\n')) {
    const last = steps.at(-1)
    if (last && last.answer.length === 0 && isOpen(last.command)) last.command.push(line)
    else if (line.startsWith('$ ')) steps.push({ command: [line.slice(2)], answer: [] })
    else last?.answer.push(line)
  }
  return steps.map(({ command, answer }) => ({ command: command.join('\n'), answer: answer.join('\n').trim() }))
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const partsLike = (like: unknown, value: unknown): unknown => {
  if (Array.isArray(like) && Array.isArray(value)) return like.map((each, at) => partsLike(each, value[at]))
  if (!isObject(like) || !isObject(value)) return value
  return Object.fromEntries(Object.keys(like).map((key) => [key, partsLike(like[key], value[key])]))
}

const mostWide = 110
const written = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value, null, 1)?.replace(/\n */g, ' ') ?? 'null'
  if (!isObject(value) || indent.length + line.length <= mostWide) return line
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((each) => inner + written(each, inner))
    : Object.entries(value).map(([key, each]) => `${inner}"${key}": ${written(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** Returns the part of an output that the page shows. Of JSON, this is only the fields that the page contains. */
const shownOf = (answer: string, output: string): string => {
  const like = jsonOf(answer)
  if (like === undefined) return output.replaceAll('\r', '').trim()
  return written(partsLike(like, jsonOf(output) ?? output))
}

const stable = (text: string): string => text.replace(changing, '·')

/** Maps values on the page, such as ids, to the values that replace them in this run. */
type Pairs = Map<string, string>
export const replaced = (text: string, pairs: Pairs): string =>
  pairs.size === 0
    ? text
    : text.replace(new RegExp([...pairs.keys()].map(RegExp.escape).join('|'), 'g'), (word) => pairs.get(word) ?? word)

/** Runs the commands of a page and replaces their outputs, unless only ids, keys and times differ. */
export const rewritten = async (page: string, shell: Shell, places: Pairs): Promise<string> => {
  const back = new Map([...places].map(([from, to]) => [to, from]))
  const pairs: Pairs = new Map()
  let text = page
  let isOther = false
  for (const [whole, block = ''] of page.matchAll(fence)) {
    const lines: string[] = []
    for (const { command, answer } of stepsOf(block)) {
      const output = replaced(await shell.run(replaced(replaced(command, pairs), places)), back)
      const shown = shownOf(answer, output)
      const isSame = stable(shown) === stable(answer)
      isOther ||= !isSame
      const now = shown.match(changing) ?? []
      const named = (answer.match(changing) ?? []).map((word, at) => [word, now[at] ?? word] as const)
      for (const [word, own] of named) if (/^(?!\d+$)/.test(word)) pairs.set(word, own)
      lines.push(`$ ${command}`, ...(isSame ? [answer] : [shown]).filter(Boolean))
    }
    text = text.replace(whole, () => `\`\`\`console\n${lines.join('\n')}\n\`\`\``)
  }
  return isOther ? replaced(text, pairs) : page
}
