/** `node tools/build/image.mjs APP FOLDER` writes the files for an app's image. Run the build and `npm ci` before. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isNeedless } from './needless-files.mjs'

const root = join(import.meta.dirname, '..', '..')
const [app = '', out = ''] = process.argv.slice(2)
const entry = join(root, 'dist', app, 'main.mjs')
if (!/^[a-z]+(-[a-z]+)*$/.test(app) || out === '' || !existsSync(entry)) {
  console.error('Name an app that was built, and a folder: node tools/build/image.mjs gateway image')
  process.exit(2)
}

const reached = new Map()
const reach = (file) => {
  if (reached.has(file)) return
  const text = readFileSync(file, 'utf8')
  reached.set(file, text)
  for (const [, path] of text.matchAll(/["'`](\.{1,2}\/[\w./-]+\.mjs)["'`]/g)) {
    const target = resolve(dirname(file), path)
    if (existsSync(target)) reach(target)
  }
  // If the name of an import is known only at run time, copy all files of its folder.
  for (const [, path] of text.matchAll(/`(\.{1,2}\/[\w./-]+\/)\$\{\w+\}\.mjs`/g))
    for (const target of globSync('*.mjs', { cwd: resolve(dirname(file), path) }))
      reach(resolve(dirname(file), path, target))
}
reach(entry)

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const texts = [...reached.values()]
/**
 * Returns whether the code contains the name of a package. If the code composes a name at run time, it counts as naming
 * every package of the same scope.
 */
const isNamed = (name) => {
  const [scope] = name.split('/')
  const starts = [`${name}"`, `${name}'`, `${name}\``, `${name}/`, ...(name.startsWith('@') ? [`${scope}/\${`] : [])]
  return texts.some((text) => starts.some((start) => ['"', "'", '`'].some((quote) => text.includes(quote + start))))
}

/** Returns where Node finds a dependency: in the folder of the package that imports it, or in the folders above. */
const placeOf = (from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (locked[place]) return place
    if (at === '') return undefined
  }
}
const needed = new Set()
const need = (place) => {
  if (place === undefined || needed.has(place) || !existsSync(join(root, place))) return
  needed.add(place)
  const { dependencies: own = {}, optionalDependencies = {}, peerDependencies = {} } = locked[place]
  // Skip peer dependencies that are not production dependencies, because the code uses only their types.
  const peers = Object.keys(peerDependencies).filter((name) => dependencies[name])
  for (const name of [...Object.keys({ ...own, ...optionalDependencies }), ...peers]) need(placeOf(place, name))
}
for (const name of Object.keys(dependencies)) if (isNamed(name)) need(placeOf('', name))

for (const file of reached.keys()) cpSync(file, join(out, relative(root, file)))
cpSync(join(root, 'package.json'), join(out, 'package.json'))
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
if (texts.some((text) => text.includes('../dashboard/')))
  cpSync(join(root, 'dist', 'dashboard'), join(out, 'dist', 'dashboard'), { recursive: true })
// Do not copy the `node_modules` inside a package. Nested dependencies that are needed are copied on their own.
for (const place of needed)
  cpSync(join(root, place), join(out, place), {
    recursive: true,
    filter: (path) => !relative(join(root, place), path).split('/').includes('node_modules') && !isNeedless(path),
  })
// Every app has a start file at the same path, so that the image starts without a shell.
writeFileSync(join(out, 'start.mjs'), `import './dist/${app}/main.mjs'\n`)
const port = app === 'gateway' ? 'PORT' : 'HEALTH_PORT'
writeFileSync(
  join(out, 'health.mjs'),
  `const { ok } = await fetch(\`http://127.0.0.1:\${process.env.${port}}/livez\`).catch(() => ({ ok: false }))\nprocess.exit(ok ? 0 : 1)\n`,
)

const component = (place) => {
  const { version, integrity = '', license } = locked[place]
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [algorithm, digest] = integrity.split('-')
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
    ...(digest && {
      hashes: [
        { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
      ],
    }),
  }
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
mkdirSync(out, { recursive: true })
writeFileSync(
  join(out, 'sbom.cdx.json'),
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: `plumbline-${app}`, version } },
      components: [...needed].sort().map(component),
    },
    null,
    1,
  )}\n`,
)
console.log(`${app}: ${reached.size} files of the build, ${needed.size} packages`)
