import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Limits } from '../limits'

/** The watchdog writes one of these texts to standard error before it kills the process. */
export const lastWords = { memory: 'plumbline: out of memory', cpu: 'plumbline: out of processor time' }

/** The indexes of the values in the memory that the reading process shares with its watchdog thread. */
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

/** Returns the address of a thread's file: TypeScript in this folder, or in the build a file in `threads/`. */
export const threadUrl = (thread: 'reader' | 'watchdog'): URL =>
  new URL(fromSource ? `./${thread}.thread.ts` : `../threads/${thread}.mjs`, import.meta.url)

const root = fileURLToPath(new URL(fromSource ? '../../../' : '../../', import.meta.url))

/** Returns the paths that the child process may read. They contain only code: the child gets documents over a pipe. */
const mayRead = (): string[] => [
  ...[fromSource ? 'libs' : 'dist', 'package.json', 'tsconfig.json', 'tsconfig.base.json'].map((path) =>
    join(root, path),
  ),
  realpathSync(join(root, 'node_modules')),
  join(root, 'node_modules'),
]

/** With these environment variables, glibc has one heap for all threads and soon returns freed memory to the system. */
export const allocator = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

export const nodeArgs = ({ heapMb }: Limits): string[] => [
  '--permission',
  ...mayRead().map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
  `--max-old-space-size=${heapMb}`,
  // A small young generation of the heap saves a third of the memory per page and takes no more time.
  '--max-semi-space-size=4',
  '--expose-gc',
  ...(fromSource
    ? [
        '--disable-warning=ExperimentalWarning',
        '--experimental-transform-types',
        `--allow-fs-write=${join(root, 'node_modules', '.cache', 'plumbline')}`,
        '--import',
        new URL('./from-source.mjs', import.meta.url).href,
      ]
    : []),
]
