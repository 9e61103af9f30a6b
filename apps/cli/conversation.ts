import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clean } from '@plumbline/contracts'
import { askOnce, type Session } from './ask'
import { faultText } from './fault'
import { wrap } from './render/text'

const most = 500

const read = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}

/**
 * Opens the file with earlier questions, the oldest first. Only the user can read the file. If it cannot be written,
 * the history lasts only for this conversation.
 */
export const openHistory = (file: string) => {
  const lines = read(file).slice(-most)
  return {
    lines,
    add: (line: string): void => {
      if (lines.at(-1) === line) return
      lines.push(line)
      const written = `${file}.${process.pid}`
      try {
        mkdirSync(dirname(file), { recursive: true })
        // Read the file again, because another conversation may have added questions.
        const kept = [...read(file), line].slice(-most)
        writeFileSync(written, `${kept.join('\n')}\n`, { mode: 0o600 })
        renameSync(written, file)
      } catch {
        // Ignore the error. The history then lasts only for this conversation.
      }
    },
  }
}

const words = `A question may refer to earlier questions and answers. If you are asked for details, type your reply.

  /new    begin a new thread without the earlier questions
  /why    show how the last answer came about, decision by decision
  /help   show this help
  -q      end the conversation

Ctrl-C cancels the question in progress. If no question is in progress, Ctrl-C ends the conversation.`

type Conversation = { threadId: string; last: string | null }

const newThread = (): string => `cli-${randomUUID()}`

const lastTrace = async ({ client, results: { screen } }: Session, last: string | null): Promise<string[]> => {
  if (last === null) return ['You have not asked a question yet.']
  const { trace = [] } = await client.run(last, { audience: 'desk' })
  return trace.flatMap((line) => {
    const [first = '', ...rest] = wrap(clean(line), screen.width - 4)
    return [first, ...rest.map((each) => `    ${each}`)]
  })
}

const commands: Record<string, (session: Session, talk: Conversation) => string[] | Promise<string[]>> = {
  '/help': () => words.split('\n'),
  '/new': (_, talk) => {
    Object.assign(talk, { threadId: newThread(), last: null })
    return ['A new thread has started.']
  },
  '/why': (session, { last }) => lastTrace(session, last),
}

/** Returns whether the input is a command, which is a slash and one word. Any other text with a slash is a question. */
const isCommand = (typed: string): boolean => /^\/[a-z]+$/.test(typed)

const answer = async (session: Session, typed: string, talk: Conversation): Promise<void> => {
  if (!isCommand(typed)) return void (await askOnce(session, typed, talk.threadId, (id) => void (talk.last = id)))
  const command = commands[typed]
  session.results.print(
    command ? await command(session, talk) : [`There is no command ${typed}. /help lists all commands.`],
  )
}

/** Asks one question after another in a thread, until the person types `-q`. Continues after a failed question. */
export const startConversation = async (session: Session, dataDir: string): Promise<void> => {
  const { lines, options, progress } = session
  const { print, screen } = progress
  const history = openHistory(join(dataDir, 'history'))
  const state: Conversation = { threadId: newThread(), last: null }
  print(['Ask about the documents. /help lists the commands; -q ends the conversation.', ''])
  for (;;) {
    const typed = (await lines.ask(screen.paint.accent('? '), { history: history.lines }))?.trim()
    if (typed === undefined || typed === '-q') return
    if (typed === '') continue
    history.add(typed)
    try {
      await answer(session, typed, state)
    } catch (error) {
      const text = faultText(error, options.url)
      if (text === null) throw error
      print([screen.paint.bad(text)])
    }
    print([''])
  }
}
