import { createRequire } from 'node:module'

/** The path is the same in the source and in the build: `package.json` is two folders up. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
