import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { builtInEmbedders, embeddersOver } from './built-in-embedder'
import { openEncoderThread } from './encoder-thread'
import { encoderProblem, modelFolder } from './model-files'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-encoder-'))
afterAll(() => rmSync(folder, { recursive: true }))
const never = new AbortController().signal
const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

describe('the built-in encoder', () => {
  it('runs here, and puts a question nearer to its answer in other words than to another sentence', async () => {
    expect(encoderProblem()).toBeNull()
    const { questions } = builtInEmbedders()
    const [asked, answer, other] = await questions.embed(
      ['How much paid time off do I get?', 'Employees have 15 days of vacation every year.', 'The pump needs oil.'],
      never,
    )
    expect(asked).toHaveLength(questions.dimensions)
    expect(dot(asked!, asked!)).toBeCloseTo(1, 4)
    expect(dot(asked!, answer!)).toBeGreaterThan(dot(asked!, other!) + 0.2)
  })

  it('gives the same vector to questions and documents, and accepts empty, long and non-English texts', async () => {
    const { questions, documents } = builtInEmbedders()
    const texts = ['', 'word '.repeat(5_000), '土星の衛星はいくつですか']
    const [first, second] = await Promise.all([questions.embed(texts, never), documents.embed(texts, never)])
    expect(first.map((vector) => [...vector])).toEqual(second.map((vector) => [...vector]))
    expect(first.flatMap((vector) => [...vector]).every(Number.isFinite)).toBe(true)
  })

  it('encodes questions before waiting passages, and skips aborted texts', async () => {
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const { questions, documents } = embeddersOver({
      encode: async (text) => {
        await gate.promise
        order.push(text)
        return new Float32Array(1)
      },
    })
    const stop = new AbortController()
    const all = documents.embed(['a', 'b'], never)
    const dropped = documents.embed(['c'], stop.signal)
    const asked = questions.embed(['question'], never)
    stop.abort(new Error('nobody waits'))
    await expect(dropped).rejects.toThrow('nobody waits')
    gate.resolve()
    await Promise.all([all, asked])
    expect(order).toEqual(['a', 'question', 'b'])
  })

  it('refuses weights that are not the published ones, with what to do, and fails again for the next text', async () => {
    cpSync(modelFolder(), folder, { recursive: true })
    mkdirSync(join(folder, 'onnx'), { recursive: true })
    writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), 'not a model')
    const thread = openEncoderThread(folder)
    const refused = expect.objectContaining({
      code: 'encoder.failed',
      cause: expect.objectContaining({ message: expect.stringMatching(/not the published ones.*Install/) as string }),
    }) as Error
    await expect(thread.encode('text')).rejects.toEqual(refused)
    await expect(thread.encode('text')).rejects.toEqual(refused)
    await thread.close()
  })
})
