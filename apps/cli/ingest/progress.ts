import { cleanName, type DocumentView } from '@plumbline/contracts'
import { count, type Screen, truncated } from '../render/text'
import type { UploadResult } from './upload'

export type Progress = {
  onUpdate(name: string, view: DocumentView): void
  onWait(words: string): void
  onResult(one: UploadResult): void
  close(): void
}
type Output = { write(text: string): unknown; columns?: number; isTTY?: boolean }
type State = { total: number; done: number; passages: number; waiting: string; current: Map<string, DocumentView> }

const redrawMs = 100
const stillMs = 10_000
const [unbroken, broken] = ['\x1b[?7l', '\x1b[?7h']
const bar = (share: number, width: number): [string, string] => {
  const full = Math.round(share * width)
  return ['█'.repeat(full), '░'.repeat(width - full)]
}

const shareOf = ({ total, done, current }: State): number => {
  const under = [...current.values()].reduce((sum, { progress }) => sum + progress.percent / 100, 0)
  return total === 0 ? 1 : Math.min(1, (done + under) / total)
}

export const taskText = ({ status, task, progress }: DocumentView): string => {
  const { passages, percent, pages, ofPages } = progress
  const parts = [
    status === 'queued' ? 'waits' : (task ?? 'begins'),
    ofPages === undefined || ofPages < 2 ? '' : `page ${pages ?? 0} of ${ofPages}`,
    passages > 0 ? count(passages, 'passage') : '',
    status === 'queued' ? '' : `${Math.round(percent)} %`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

const outcomeOf = ({ outcome, pages, passages, error = '', page }: UploadResult): string => {
  if (outcome === 'failed') return `${page === undefined ? '' : `page ${page}: `}${cleanName(error)}`
  const size = [pages > 1 ? count(pages, 'page') : '', count(passages, 'passage')]
    .filter((part) => part !== '')
    .join(', ')
  return outcome === 'unchanged' ? 'unchanged' : `${size}${outcome === 'replaces' ? ', a new version' : ''}`
}

const nameWidth = (width: number): number => Math.max(20, Math.min(48, Math.floor(width / 2) - 4))

/** Redraws a progress bar and the documents in progress in place, below the lines of completed documents. */
const drawProgress = (output: Output, { paint }: Screen, state: State): Progress => {
  let lines = 0
  const width = (): number => Math.max(40, (output.columns ?? 80) - 1)
  const erase = (): string => (lines === 0 ? '' : `\x1b[${lines}A\x1b[J`)
  const frame = (): string[] => {
    const [full, rest] = bar(shareOf(state), Math.min(30, width() - 40))
    const facts = `${state.done} of ${state.total} · ${Math.floor(shareOf(state) * 100)} % · ${count(state.passages, 'passage')}`
    const names = nameWidth(width())
    const rows = [...state.current]
      .slice(0, 8)
      .map(
        ([name, view]) =>
          `    ${truncated(cleanName(name), names).padEnd(names)}  ${paint.dim(truncated(taskText(view), width() - names - 6))}`,
      )
    return [
      `  ${paint.accent(full)}${paint.dim(rest)}  ${facts}`,
      ...rows,
      ...(state.waiting === '' ? [] : [paint.warn(`    … ${state.waiting}`)]),
    ]
  }
  const draw = (above: string[] = []): void => {
    const shown = frame()
    // Switch off line wrapping. A wrapped line takes two rows, but `erase` would clear only one.
    output.write(`${erase()}${unbroken}${[...above, ...shown].join('\n')}${broken}\n`)
    lines = shown.length
  }
  const timer = setInterval(() => draw(), redrawMs)
  const marks = { new: paint.good('✓'), replaces: paint.good('✓'), failed: paint.bad('✗') }
  draw()
  return {
    onUpdate: (name, view) => void state.current.set(name, view),
    onWait: (words) => void (state.waiting = words),
    onResult: (one) => {
      if (one.outcome === 'unchanged') return
      const names = nameWidth(width())
      const said = outcomeOf(one)
      draw([
        `  ${marks[one.outcome]} ${truncated(cleanName(one.name), names).padEnd(names)}  ${one.outcome === 'failed' ? paint.bad(truncated(said, width() - names - 6)) : paint.dim(said)}`,
      ])
    },
    close: () => {
      clearInterval(timer)
      output.write(erase())
      lines = 0
    },
  }
}

/** Prints lines instead of a bar. While no document is completed, prints the progress at intervals. */
const printProgress = (output: Output, state: State): Progress => {
  const say = (line: string): void => void output.write(`${line}\n`)
  let waited = ''
  const still = (): void => {
    const [first] = state.current
    if (first)
      say(
        `  … ${state.done} of ${state.total} · ${Math.floor(shareOf(state) * 100)} % · ${cleanName(first[0])}: ${taskText(first[1])}`,
      )
  }
  let timer = setInterval(still, stillMs)
  return {
    onUpdate: (name, view) => void state.current.set(name, view),
    onWait: (words) => {
      if (words !== waited && words !== '') say(`  … ${words}`)
      waited = words
    },
    onResult: (one) => {
      say(
        `  [${state.done}/${state.total}] ${one.outcome === 'failed' ? 'FAILED ' : ''}${cleanName(one.name)}: ${outcomeOf(one)}`,
      )
      clearInterval(timer)
      timer = setInterval(still, stillMs)
    },
    close: () => clearInterval(timer),
  }
}

export const openProgress = (total: number, output: Output, screen: Screen): Progress => {
  const state: State = { total, done: 0, passages: 0, waiting: '', current: new Map() }
  const progress = output.isTTY ? drawProgress(output, screen, state) : printProgress(output, state)
  return {
    ...progress,
    onUpdate: (name, view) => {
      progress.onWait('')
      progress.onUpdate(name, view)
    },
    onResult: (one) => {
      state.current.delete(one.name)
      state.done += 1
      state.passages += one.passages
      progress.onResult(one)
    },
  }
}
