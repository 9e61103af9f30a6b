import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { lua } from './lua.mjs'

export const root = join(import.meta.dirname, '..', '..')

const ours = (id) => /^[./\0]|^@plumbline\/|^@oxc-project\/runtime/.test(id)

/** Bundles programs into `dist`. All files have the same depth, because the code uses relative paths to other files. */
export const bundle = async (input, chunks) => {
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    external: (id) => !ours(id) && !/^[A-Za-z]:/.test(id),
    plugins: [lua()],
  })
  await bundled.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: `${chunks}/[name]-[hash].mjs`,
    sourcemap: true,
  })
  await bundled.close()
}
