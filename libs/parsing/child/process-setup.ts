import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limits } from '../limits'

/**
 * Written to standard error by the watchdog before it ends the process, because nothing else would report the
 * reason.
 */
export const lastWords = { memory: 'plumbline: out of memory', cpu: 'plumbline: out of processor time' }

/** Shared memory in which the child reports its progress to the watchdog. */
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

/** In the source tree a thread is the TypeScript beside this file; in the build it is under `threads/`. */
export const threadUrl = (thread: 'reader' | 'watchdog'): URL =>
  new URL(fromSource ? `./${thread}.thread.ts` : `../threads/${thread}.mjs`, import.meta.url)

const root = fileURLToPath(new URL(fromSource ? '../../../' : '../../', import.meta.url))

/** The child may read only code from disk, and write or start nothing. Files arrive over a pipe. */
const mayRead = (): string[] => [
  ...[fromSource ? 'libs' : 'dist', 'package.json', 'tsconfig.json', 'tsconfig.base.json'].map((path) =>
    join(root, path),
  ),
  realpathSync(join(root, 'node_modules')),
  join(root, 'node_modules'),
]

/**
 * The child's whole environment, for glibc's allocator: threads share one arena, and large pieces return to the
 * system.
 */
export const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

export const nodeArgs = ({ heapMb }: Limits): string[] => [
  '--permission',
  ...mayRead().map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
  `--max-old-space-size=${heapMb}`,
  // Collects new objects early: a page takes two thirds of the memory and no more time.
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
