import { describe, expect, it } from 'vitest'
import { readJson } from './read-json'

const read = (json: string) => readJson(new TextEncoder().encode(json), { name: 'a.json' })
const textOf = async (json: string) => (await read(json)).parts[0]?.text

describe('JSON', () => {
  it('has fields as items, records as a table, numbers as they are written', async () => {
    expect(
      await textOf(
        '{"price": 1.10, "id": 12345678901234567890, "tags": ["a"], "rows": [{"n": 1, "at": {"city": "Rome"}}, {"n": 2}]}',
      ),
    ).toBe(
      '- price: 1.10\n- id: 12345678901234567890\n\n## tags\n\n- a\n\n## rows\n\n| n | at.city |\n| --- | --- |\n| 1 | Rome |\n| 2 |  |',
    )
    expect(await textOf('[{"a": [{"b": 1}]}, 2]')).toBe('## 1\n\n### a\n\n| b |\n| --- |\n| 1 |\n\n## 2\n\n2')
  })

  it('may be a value on each line', async () => {
    expect(await textOf('{"q": "one", "n": 1}\n\n{"q": "two", "n": 2.50}\n')).toBe(
      '| q | n |\n| --- | --- |\n| one | 1 |\n| two | 2.50 |',
    )
  })

  it('is read as it stands, with a note, where it is not valid, and refused where it nests without end', async () => {
    expect(await read('{"a": 1,}')).toMatchObject({
      parts: [{ text: expect.stringContaining('{"a": 1,}') as unknown }],
      notes: [expect.stringContaining('not valid')],
    })
    await expect(read('['.repeat(100_000) + ']'.repeat(100_000))).rejects.toMatchObject({ reason: 'bomb' })
    await expect(read('{}')).rejects.toMatchObject({ reason: 'no-text' })
  })
})
