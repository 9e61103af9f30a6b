import { existsSync, readFileSync } from 'node:fs'

/** The user must provide the folder of the larger data sets. */
export const root = process.env['EVAL_DATA'] ?? ''
export const hasData = existsSync(root)
export const hasSet = (file: string): boolean => existsSync(`${root}/${file}`)

export const rowsOf = <T>(file: string): T[] =>
  readFileSync(`${root}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

/** Returns whether the key belongs to the held-out half, which is never used during development. A hash decides. */
export const isHeldOut = ({ key }: { key: string }): boolean => (hash(key) >>> 7) % 2 === 1
const hash = (text: string): number =>
  Array.from(text).reduce((sum, sign) => Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0, 2_166_136_261)
