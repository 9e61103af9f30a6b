import { describe, expect, it } from 'vitest'
import { keptCollections } from './collections'

describe('kept collections', () => {
  it('are read once for many steps, and again after a failure', async () => {
    const asked: string[] = []
    const read = keptCollections((tenant, name) => {
      asked.push(`${tenant} ${name}`)
      if (asked.length === 1) return Promise.reject(new Error('down'))
      return Promise.resolve(name === 'gone' ? null : { name, description: '', documents: 0, version: 0 })
    })
    const namesOf = async (tenant: string, names: string[]) => (await read(tenant, names)).map(({ name }) => name)
    await expect(read('t', ['main'])).rejects.toThrow('down')
    expect(await Promise.all([['main'], ['main', 'gone'], ['gone'], []].map((names) => namesOf('t', names)))).toEqual([
      ['main'],
      ['main'],
      [],
      [],
    ])
    expect(await namesOf('u', ['main'])).toEqual(['main'])
    expect(asked).toEqual(['t main', 't main', 't gone', 'u main'])
  })
})
