import { existsSync, globSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'
import { bundle, root } from './bundle.mjs'

const apps = readdirSync(join(root, 'apps')).filter((app) => existsSync(join(root, 'apps', app, 'main.ts')))
const threads = globSync('libs/**/*.thread.ts', { cwd: root })

const input = Object.fromEntries([
  ...apps.map((app) => [`${app}/main`, join(root, 'apps', app, 'main.ts')]),
  ...threads.map((file) => [`threads/${basename(file, '.thread.ts')}`, join(root, file)]),
])

rmSync(join(root, 'dist'), { recursive: true, force: true })
await bundle(input, 'chunks')
await build({ configFile: join(root, 'apps', 'dashboard', 'vite.config.ts') })
