import { describe, expect, it } from 'vitest'
import { createLog, lineLimit } from './log'

describe('the limit of lines', () => {
  it('writes ten identical lines per second and counts the dropped lines', () => {
    let now = 0
    const limit = lineLimit(() => now)
    const first = Array.from({ length: 25 }, () => limit('same', false).pass)
    expect(first.filter(Boolean)).toHaveLength(10)
    expect(limit('other', false)).toEqual({ pass: true, cut: 0 })
    now = 1_000
    expect(limit('same', false)).toEqual({ pass: true, cut: 15 })
  })

  it('passes ten lines of trouble a second, however many different ones there are', () => {
    const limit = lineLimit(() => 0)
    const passed = Array.from({ length: 20_000 }, (_, n) => limit(`trouble ${n % 40}`, true)).filter(({ pass }) => pass)
    expect(passed).toHaveLength(10)
  })
})

describe('the log', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    app: 'spec',
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  })

  it('writes one JSON line per event, with its words, its data and its error', () => {
    log.info({ port: 1 }, 'listening')
    log.warn({ err: new Error('why') }, 'not well')
    log.debug('unheard')
    expect(lines).toMatchObject([
      { app: 'spec', msg: 'listening', port: 1 },
      { msg: 'not well', err: { message: 'why' } },
    ])
  })

  it('logs the message and the causes of an error, but none of its other fields', () => {
    lines.length = 0
    const answered = Object.assign(new Error('OOM'), { code: 'full', command: { args: ['a question'] } })
    log.warn({ err: new Error('not stored', { cause: answered }) }, 'one')
    log.warn({ err: answered }, 'two')
    log.warn({ err: new AggregateError([answered], 'both') }, 'three')
    expect(lines).toMatchObject([
      { err: { message: 'not stored: OOM' } },
      { err: { type: 'Error', message: 'OOM', code: 'full', stack: expect.stringContaining('OOM') as string } },
      { err: { message: 'both', errors: [{ message: 'OOM' }] } },
    ])
    expect(JSON.stringify(lines)).not.toContain('a question')
  })
})
