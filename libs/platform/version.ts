import { createRequire } from 'node:module'

/** `package.json` is two folders up, both in the source tree and in the build. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
