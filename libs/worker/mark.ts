import { randomBytes } from 'node:crypto'

/** Random per process, so that no other process, nor this one started again, ever makes the same mark. */
const ours = randomBytes(12).toString('base64url')
let made = 0

/** A fence or a version: it never comes twice, and is compared for equality only. */
export const mark = (): string => `${ours}.${(made += 1).toString(36)}`
