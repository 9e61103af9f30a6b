import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limits } from './limits'

const fromSource = import.meta.url.endsWith('.ts')

/** From source a thread is the TypeScript beside this file; in the build it stands under `threads/`. */
export const besideThis = (thread: 'reader' | 'watchdog'): URL =>
  new URL(fromSource ? `./${thread}.thread.ts` : `../threads/${thread}.mjs`, import.meta.url)

const root = fileURLToPath(new URL(fromSource ? '../../../../' : '../../', import.meta.url))

/** Code is all that the child may read from disk, and it may write nothing and start nothing: files come to it over a pipe. */
const mayRead = (): string[] => [
  ...[fromSource ? 'libs' : 'dist', 'package.json', 'tsconfig.json', 'tsconfig.base.json'].map((path) =>
    join(root, path),
  ),
  realpathSync(join(root, 'node_modules')),
  join(root, 'node_modules'),
]

export const nodeArgs = ({ heapMb }: Limits): string[] => [
  '--permission',
  ...mayRead().map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
  `--max-old-space-size=${heapMb}`,
  ...(fromSource
    ? [
        '--disable-warning=ExperimentalWarning',
        '--experimental-transform-types',
        '--import',
        new URL('./from-source.mjs', import.meta.url).href,
      ]
    : []),
]
