import { expect, it } from 'vitest'
import { openWhenNeeded } from './passages'

it('the index is opened once, when it is needed, and again where it could not be', async () => {
  const done: string[] = []
  const index = {
    remove: (tenant: string, id: string) => Promise.resolve(void done.push(`${tenant}/${id}`)),
    close: () => Promise.resolve(void done.push('closed')),
  }
  const opens = [() => Promise.reject(new Error('away')), () => Promise.resolve(index)]
  const passages = openWhenNeeded(() => opens.shift()!())
  await passages.close()
  expect(opens).toHaveLength(2)
  const { signal } = new AbortController()
  await expect(passages.remove('a', 'd1', signal)).rejects.toThrow('away')
  await Promise.all([passages.remove('a', 'd1', signal), passages.remove('a', 'd2', signal)])
  await passages.close()
  expect(done).toEqual(['a/d1', 'a/d2', 'closed'])
  expect(opens).toHaveLength(0)
})
