import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, toAnswer, type House } from './house.spec'

const python = process.env['PYTHON'] ?? 'python3'
const run = promisify(execFile)

const howTo = [
  `${python} has no package openai. Where pip reaches a registry:`,
  '  python3 -m venv client && client/bin/pip install openai',
  '  PYTHON=$PWD/client/bin/python npm run lab -- python-client',
].join('\n')

let house: House
beforeAll(async () => {
  await run(python, ['-c', 'import openai']).catch((cause: unknown) => {
    throw new Error(howTo, { cause })
  })
  house = await openHouse()
})
afterAll(() => house?.close())

/** Asks with the official client and prints each piece of the answer as it comes. */
const script = `
import sys
from openai import OpenAI

client = OpenAI(base_url=sys.argv[1] + "/v1", api_key="local", max_retries=0)
messages = [{"role": "user", "content": "How heavy is Mars?"}]
if sys.argv[2] == "stream":
    for chunk in client.chat.completions.create(model="standard", messages=messages, stream=True):
        for choice in chunk.choices:
            print(choice.delta.content or "", end="")
else:
    print(client.chat.completions.create(model="standard", messages=messages).choices[0].message.content, end="")
`

it.each(['stream', 'whole'])("Python's official client reads an answer (%s)", async (mode) => {
  const ids = async (): Promise<string[]> => (await house.store.list('default', { cursor: null, limit: 100 })).ids
  const before = await ids()
  const asking = run(python, ['-c', script, house.url, mode], { timeout: 25_000 })
  const added = async () => (await ids()).filter((id) => !before.includes(id))
  await expect.poll(added).toHaveLength(1)
  await house.report((await added())[0] ?? '', ...toAnswer('Mars weighs 6.4e23 kg [1].'))
  expect((await asking).stdout).toBe('Mars weighs 6.4e23 kg [1].')
})
