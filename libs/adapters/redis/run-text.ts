import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Run } from '@plumbline/flow'

const packed = 'z'

/** A run as the store keeps it: JSON while it moves, packed once it has ended and is only kept to be read. */
export const textOf = (run: Run): string => {
  const json = JSON.stringify(run)
  return run.open.length > 0 ? json : packed + deflateRawSync(json, { level: 3 }).toString('base64')
}

export const runOf = (text: unknown): Run => {
  const kept = String(text)
  const json = kept.startsWith(packed) ? inflateRawSync(Buffer.from(kept.slice(packed.length), 'base64')).toString() : kept
  return JSON.parse(json) as Run
}
