import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

export type ImportGraph = Map<string, string[]>

/** The layers of the code, from the base upwards. A file may import only from its own layer or from lower layers. */
const layers = [
  ['libs/contracts', 'libs/platform', 'libs/commands'],
  ['libs/client', 'libs/flow'],
  ['libs/knowledge'],
  ['libs/ports'],
  ['libs/testing'],
  ['libs/skills', 'libs/adapters', 'libs/parsing', 'libs/encoder', 'libs/worker'],
  ['libs/hosting'],
  ['libs/stages', 'libs/gateway', 'libs/ingestor'],
  ['libs/features'],
  ['apps'],
  ['lab'],
] as const

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()
const resolved = (root: string, path: string): string | undefined =>
  [path, `${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find((candidate) => isFile(join(root, candidate)))

const target = (root: string, file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return resolved(root, normalize(join(dirname(file), specifier)))
  if (specifier.startsWith('@plumbline/')) return resolved(root, specifier.replace('@plumbline/', 'libs/'))
  return undefined
}

export const importGraph = (root: string): ImportGraph => {
  const files = globSync('{apps,libs,lab}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  })
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
      return [file, importedFiles.flatMap(({ fileName }) => target(root, file, fileName) ?? [])]
    }),
  )
}

const layerOf = (file: string): number => layers.findIndex((row) => row.some((folder) => file.startsWith(`${folder}/`)))
const partOf = (file: string): string => file.split('/').slice(0, 2).join('/')

export const importsAgainstLayers = (graph: ImportGraph): string[] =>
  [...graph].flatMap(([from, targets]) =>
    targets
      .filter((to) => partOf(from) !== partOf(to) && (layerOf(to) > layerOf(from) || !to.startsWith('libs/')))
      .map((to) => `${from} → ${to}`),
  )

/** Returns a cycle of imports, if any. Imports of types count too, because they also create dependencies. */
export const circle = (graph: ImportGraph): string[] | undefined => {
  const done = new Set<string>()
  const walk = (file: string, path: string[]): string[] | undefined => {
    const seen = path.indexOf(file)
    if (seen >= 0) return [...path.slice(seen), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...path, file])
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const found = walk(file, [])
    if (found) return found
  }
  return undefined
}

const isTest = (file: string): boolean => /\.(spec|contract)\.ts$/.test(file)

export const folderCircle = (graph: ImportGraph, library: string): string[] | undefined => {
  const files = [...graph.keys()].filter((file) => file.startsWith(`${library}/`) && !isTest(file))
  const folders = [...Map.groupBy(files, dirname)].map(([folder, own]): [string, string[]] => {
    const targets = own.flatMap((file) => graph.get(file) ?? []).filter((to) => to.startsWith(`${library}/`))
    return [folder, targets.map(dirname).filter((to) => to !== folder)]
  })
  return circle(new Map(folders))
}
