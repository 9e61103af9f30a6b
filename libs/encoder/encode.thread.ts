import { parentPort, workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { EncodeRequest, EncodeResponse } from './encoder-thread'
import { readModelFiles } from './model-files'

/** The default limit of the model all-MiniLM-L6-v2. Only the beginning of a longer text is encoded. */
const maxTokens = 256

const { modelFolder } = workerData as { modelFolder?: string }
const { weights, tokenizer: tokenizerJson, tokenizerConfig } = readModelFiles(modelFolder)
// Do not pad texts to 128 tokens, as the published tokenizer does: this costs time and helps only in batches.
const tokenizer = new Tokenizer({ ...tokenizerJson, padding: null, truncation: null }, tokenizerConfig)
const session = await InferenceSession.create(weights, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Otherwise, ONNX Runtime would keep all the memory that the longest text needed.
  enableCpuMemArena: false,
})

/**
 * The tokenizer gets at most this many characters, so that it needs little memory. A text of this length usually has
 * more than `maxTokens` tokens.
 */
const maxChars = 4_000

const idsOf = (text: string): number[] => {
  const { ids } = tokenizer.encode(text.slice(0, maxChars))
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)]
}

const encode = async (text: string): Promise<Float32Array> => {
  const ids = idsOf(text)
  const tensor = (values: BigInt64Array): Tensor => new Tensor('int64', values, [1, ids.length])
  const ones = new BigInt64Array(ids.length).fill(1n)
  const output = await session.run({
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(ones),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  })
  const { data, dims } = output['last_hidden_state'] as Tensor & { data: Float32Array }
  const size = dims[2] ?? 0
  const sum = new Float32Array(size)
  for (let at = 0; at < data.length; at += 1) sum[at % size] = (sum[at % size] ?? 0) + (data[at] ?? 0)
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

const port = parentPort
if (!port) throw new Error('The encoder must be started as a worker thread.')
port.on('message', ({ id, text }: EncodeRequest) => {
  void encode(text).then((vector) => port.postMessage({ id, vector } satisfies EncodeResponse))
})
