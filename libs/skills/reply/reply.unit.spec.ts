import { describe, expect, it } from 'vitest'
import type { Reply } from '../skill'
import { replyContract } from './reply.contract'
import { offlineReply } from './reply.offline'

replyContract('offline', () => offlineReply)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const collections = [{ name: 'harbours', description: 'Ports of the north.' }]
const replied = async (more: Partial<Parameters<Reply>[0]>) =>
  (await offlineReply({ question: 'Hi', to: 'general', logic: '', collections, ...more }, call)).text

describe('offline reply', () => {
  it.each(['general', 'decline', 'knowledge'] as const)('names what can be asked about: %s', async (to) => {
    expect(await replied({ to })).toMatch(/\n- harbours: Ports of the north\.$/)
    expect(await replied({ to, collections: [] })).toMatch(/No documents are here yet/)
  })

  it('cuts a long description at a word', async () => {
    const text = await replied({ collections: [{ name: 'a', description: 'word '.repeat(100) }] })
    expect(text).toMatch(/word …$/)
    expect(text.length).toBeLessThan(300)
  })

  it('asks back in fixed words, with nothing of the question or of the router in them', async () => {
    const asked = { question: 'Is Ada a thief?', logic: 'Which Ada is left open.' }
    for (const to of ['clarify', 'narrow', 'decline', 'general'] as const)
      expect(await replied({ ...asked, to })).toBe(await replied({ to }))
    expect(await replied({ to: 'clarify' })).not.toContain('harbours')
  })

  it('names what was found to choose among, where it is more than one thing', async () => {
    expect(await replied({ to: 'narrow', dimensions: ['Allotments', 'Recycling'] })).toMatch(
      /\? I found: Allotments, Recycling\.$/,
    )
    expect(await replied({ to: 'narrow', dimensions: ['Allotments'] })).toBe(await replied({ to: 'narrow' }))
  })
})
