import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limits } from '../limits'

/**
 * The texts that the watchdog writes to standard error before it kills the process. The parent reads them to report the
 * reason.
 */
export const lastWords = { memory: 'plumbline: out of memory', cpu: 'plumbline: out of processor time' }

/**
 * The positions of the values in the memory that the child shares with its watchdog. The child writes its progress and
 * its limits there.
 */
export const slots = {
  file: 0,
  cpuMs: 1,
  pages: 2,
  cpuMsPerPage: 3,
  memoryMb: 4,
  memoryMbPerPage: 5,
  mostMemoryMb: 6,
  ocrPages: 7,
  cpuMsPerOcrPage: 8,
  ocrMemoryMb: 9,
  count: 10,
}

const fromSource = import.meta.url.endsWith('.ts')

/**
 * Returns the URL of a thread's file. In the source tree it is a TypeScript file in this folder, in the build a file in
 * `threads/`.
 */
export const threadUrl = (thread: 'reader' | 'watchdog'): URL =>
  new URL(fromSource ? `./${thread}.thread.ts` : `../threads/${thread}.mjs`, import.meta.url)

const root = fileURLToPath(new URL(fromSource ? '../../../' : '../../', import.meta.url))

/**
 * The paths that the child may read, all of them code. The child may not write files or start processes, and it
 * receives documents over a pipe.
 */
const mayRead = (): string[] => [
  ...[fromSource ? 'libs' : 'dist', 'package.json', 'tsconfig.json', 'tsconfig.base.json'].map((path) =>
    join(root, path),
  ),
  realpathSync(join(root, 'node_modules')),
  join(root, 'node_modules'),
]

/**
 * Environment variables of the child that configure glibc's memory allocator. All threads share one arena, and freed
 * memory returns to the system early.
 */
export const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

export const nodeArgs = ({ heapMb }: Limits): string[] => [
  '--permission',
  ...mayRead().map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
  `--max-old-space-size=${heapMb}`,
  // A small young generation: a page then needs a third less memory and no more time.
  '--max-semi-space-size=4',
  '--expose-gc',
  ...(fromSource
    ? [
        '--disable-warning=ExperimentalWarning',
        '--experimental-transform-types',
        '--import',
        new URL('./from-source.mjs', import.meta.url).href,
      ]
    : []),
]
