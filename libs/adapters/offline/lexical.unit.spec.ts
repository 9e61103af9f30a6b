import { embedderContract } from '@plumbline/ports/embedder.contract'
import { describe, expect, it } from 'vitest'
import { lexicalEmbedder } from './lexical-embedder'

embedderContract('lexical', () => lexicalEmbedder)

const never = new AbortController().signal

describe('lexical embedder', () => {
  it('says by its name that it is lexical', () => expect(lexicalEmbedder.name).toMatch(/^lexical-/))
  it('gives similar vectors to a word and its misspellings', async () => {
    const [word, misspelt, other] = await lexicalEmbedder.embed(['photosynthesis', 'photosyntesis', 'granite'], never)
    const likeness = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    expect(likeness(word!, misspelt!)).toBeGreaterThan(likeness(word!, other!) + 0.2)
  })
})
