import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readArgs } from './args'
import { openLineInput } from './line-input'

const read = (args: string[], env: Record<string, string> = {}, own: string | null = null) => readArgs(args, env, own)

describe('the words after ask', () => {
  it('takes a question in one word or several', () => {
    expect(read(['Which planet has rings?'])).toMatchObject({
      kind: 'ask',
      options: { question: 'Which planet has rings?', trace: false },
    })
    expect(read(['Which', 'planet'])).toMatchObject({ options: { question: 'Which planet' } })
  })

  it('without a question is a conversation', () => {
    expect(read([])).toMatchObject({ kind: 'ask', options: { question: '' } })
  })

  it('finds the gateway by option, then environment, then port, then the one of its folder', () => {
    const own = 'http://127.0.0.1:3107'
    expect(read([], {}, own)).toMatchObject({ options: { url: own } })
    expect(read([], { PORT: '4000' }, own)).toMatchObject({ options: { url: 'http://127.0.0.1:4000' } })
    expect(read(['--url', 'http://desk:8080/'])).toMatchObject({ options: { url: 'http://desk:8080' } })
    expect(read([], { PLUMBLINE_URL: 'http://a:1', PORT: '4' })).toMatchObject({ options: { url: 'http://a:1' } })
    expect(read([], { PORT: '4000' })).toMatchObject({ options: { url: 'http://127.0.0.1:4000' } })
    expect(read([], { PORT: '' })).toMatchObject({ options: { url: 'http://127.0.0.1:3000' } })
  })

  it('searches one collection or several', () => {
    expect(read(['--collection', 'a', 'hi'])).toMatchObject({ options: { collection: 'a' } })
    expect(read(['--collection', 'a', '--collection', 'b', 'hi'])).toMatchObject({
      options: { collection: ['a', 'b'] },
    })
  })

  it('--json wants something to answer', () => {
    expect(read(['--json', 'hi'])).toMatchObject({ options: { json: true } })
    expect(read(['--json', '--run', 'r1'])).toMatchObject({ options: { json: true } })
    expect(read(['--json'])).toMatchObject({ kind: 'fault', message: expect.stringContaining('--json needs') })
  })

  it('rejects an unknown option and lists the known options', () => {
    const refused = read(['--colection', 'x', 'hi'])
    expect(refused).toMatchObject({ kind: 'fault', message: expect.stringContaining('--collection') })
    expect(read(['--url', 'localhost'])).toMatchObject({
      kind: 'fault',
      message: expect.stringContaining('http://host:port'),
    })
    expect(read(['--run', 'r1', 'a question'])).toMatchObject({ kind: 'fault' })
    expect(read(['  '])).toMatchObject({ kind: 'fault', message: expect.stringContaining('Pass a question') })
  })
})

const up = '\x1b[A'
const ctrlC = '\x03'

/** Returns the line that results from typing these keys. */
const typing = (keys: string, history: string[] = []): Promise<string | null> => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const line = openLineInput(input, new PassThrough()).ask('? ', { history })
  input.write(keys)
  return line
}

it('brings back what was asked before by the arrow keys', async () => {
  expect(await typing(`${up}\r`, ['first', 'second'])).toBe('second')
  expect(await typing(`${up}${up}, please\r`, ['first', 'second'])).toBe('first, please')
})

it('clears the line on Ctrl-C, and ends on Ctrl-C if the line is empty', async () => {
  expect(await typing(`not this${ctrlC}but this\r`)).toBe('but this')
  expect(await typing(`not this${ctrlC}${ctrlC}`)).toBeNull()
  expect(await typing(ctrlC)).toBeNull()
})
