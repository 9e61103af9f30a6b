/** `node tools/build/client.mjs FOLDER` writes the client as an npm package without dependencies. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { readWordsOrExit } from '../../libs/commands/command.mjs'
import { client } from '../../libs/commands/rows/pages.mjs'
import { npmCommand } from '../bootstrap/npm.mjs'
import { declarationsOf } from './declarations.mjs'

const root = join(import.meta.dirname, '..', '..')
const [folder = join(root, 'dist', 'client')] = readWordsOrExit(client, process.argv.slice(2)).positionals
const out = resolve(folder)
const entry = join(root, 'libs', 'client', 'index.ts')
mkdirSync(out, { recursive: true })

const bundle = await rolldown({ input: entry, platform: 'neutral', tsconfig: join(root, 'tsconfig.json') })
const { output } = await bundle.write({ dir: out, format: 'esm', entryFileNames: 'index.js' })
await bundle.close()
writeFileSync(join(out, 'index.d.ts'), declarationsOf(entry, join(root, 'tsconfig.base.json')))

const packages = output[0].moduleIds.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [])
const licences = [...new Set(packages.filter((_, at) => at % 2 === 1))].sort().map((name) => {
  const text = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')
  return `index.js contains parts of ${name}:\n\n${text}`
})
writeFileSync(join(out, 'LICENSES.txt'), licences.join('\n\n'))
// Only the built package has this package.json. Beside the sources, such a file would mislead our bundlers.
const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const described = {
  name: '@plumbline/client',
  version,
  description: 'Asks a Plumbline: answers from your own documents, checked against their evidence.',
  license,
  engines,
  type: 'module',
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  files: ['index.js', 'index.d.ts', 'LICENSES.txt'],
  sideEffects: false,
}
writeFileSync(join(out, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
cpSync(join(root, 'libs', 'client', 'README.md'), join(out, 'README.md'))
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))

const { command, args, shell } = npmCommand()
const packed = execFileSync(command, [...args, 'pack', '--silent', '--pack-destination', out], {
  cwd: out,
  shell,
  encoding: 'utf8',
})
console.log(join(out, packed.trim()))
