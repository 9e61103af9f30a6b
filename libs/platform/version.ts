import { createRequire } from 'node:module'

/** Two folders below the root, here as in the build. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
