import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Project = { targets: Record<string, unknown> }

const root = join(import.meta.dirname, '..', '..')
const targetsOf = (folder: string): string[] => {
  const project = JSON.parse(readFileSync(join(root, folder, 'project.json'), 'utf8')) as Project
  return Object.keys(project.targets)
}
const specs = globSync('{apps,libs,lab,tools,deploy}/**/*.{unit,int,e2e}.spec.ts', {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
})
const projectOf = (spec: string): string => {
  const [area = '', name = '', feature = ''] = spec.split('/')
  return { tools: '.', deploy: 'deploy' }[area] ?? join(area, name, name === 'features' ? feature : '')
}

describe('npm test', () => {
  it.each([...new Set(specs.map(projectOf))])('runs the specs of %s', (folder) =>
    expect(targetsOf(folder)).toContain('test'),
  )

  it('is no target itself, because it runs the targets', () => {
    const { nx } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { nx: unknown }
    expect(nx).toEqual({ includedScripts: [] })
  })
})
