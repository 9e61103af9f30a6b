import { existsSync, globSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { lua } from './lua.mjs'

const root = join(import.meta.dirname, '..', '..')

const apps = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'main.ts')))
const threads = globSync('libs/**/*.thread.ts', { cwd: root })

const input = Object.fromEntries([
  ...apps.map((app) => [`${app}/main`, join(root, 'apps', app, 'main.ts')]),
  ...threads.map((file) => [`threads/${basename(file, '.thread.ts')}`, join(root, file)]),
])

const ours = (id) =>
  id.startsWith('.') ||
  id.startsWith('/') ||
  id.startsWith('\0') ||
  id.startsWith('@plumbline/') ||
  id.startsWith('@oxc-project/runtime')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const bundle = await rolldown({
  input,
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: (id) => !ours(id) && !/^[A-Za-z]:/.test(id),
  plugins: [lua()],
})
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'chunks/[name]-[hash].mjs',
  sourcemap: true,
})
await bundle.close()
await build({ configFile: join(root, 'apps', 'dashboard', 'vite.config.ts') })
