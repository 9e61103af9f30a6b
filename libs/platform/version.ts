import { createRequire } from 'node:module'

/** The version of this release. In the source tree and in the build, `package.json` is two folders above this file. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
