import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askOnce } from './ask'
import { faultWords } from './fault'
import type { Session } from './session'

const remembered = 500

/** Questions asked before, the oldest first; a conversation goes on without them where they cannot be kept. */
const openHistory = (file: string) => {
  const read = (): string[] => {
    try {
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .slice(-remembered)
    } catch {
      return []
    }
  }
  const lines = read()
  return {
    lines,
    add: (line: string): void => {
      if (lines.at(-1) === line) return
      lines.push(line)
      try {
        mkdirSync(dirname(file), { recursive: true })
        appendFileSync(file, `${line}\n`)
      } catch {
        // Kept for this conversation only.
      }
    },
  }
}

/** Question after question in one thread, until `-q`. A question that fails does not end the conversation. */
export const talk = async (session: Session, dataDir: string): Promise<void> => {
  const { lines, print, screen, options } = session
  const history = openHistory(join(dataDir, 'ask-history'))
  const threadId = `cli-${randomUUID()}`
  print(['Ask about the documents. -q ends the conversation.', ''])
  for (;;) {
    const typed = await lines.ask(screen.paint.accent('? '), { history: history.lines })
    if (typed === null || typed.trim() === '-q') return
    const question = typed.trim()
    if (question === '') continue
    history.add(question)
    try {
      await askOnce(session, question, threadId)
    } catch (error) {
      const words = faultWords(error, options.url)
      if (words === null) throw error
      print([screen.paint.bad(words)])
    }
    print([''])
  }
}
