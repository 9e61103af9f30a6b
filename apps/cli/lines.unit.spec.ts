import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openLines } from './lines'

const up = '\x1b[A'
const ctrlC = '\x03'

/** What somebody at a terminal gets from typing this. */
const typing = (keys: string, history: string[] = []): Promise<string | null> => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const line = openLines(input, new PassThrough()).ask('? ', { history })
  input.write(keys)
  return line
}

it('brings back what was asked before by the arrow keys', async () => {
  expect(await typing(`${up}\r`, ['first', 'second'])).toBe('second')
  expect(await typing(`${up}${up}, please\r`, ['first', 'second'])).toBe('first, please')
})

it('drops what is typed on Ctrl-C, and leaves where nothing is typed', async () => {
  expect(await typing(`not this${ctrlC}but this\r`)).toBe('but this')
  expect(await typing(`not this${ctrlC}${ctrlC}`)).toBeNull()
  expect(await typing(ctrlC)).toBeNull()
})
