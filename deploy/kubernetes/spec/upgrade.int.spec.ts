import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { runTool } from './kubernetes-tools'
import { appIn, kubernetes, withOwn } from './manifests'
import { chart, manifestsIn, type Manifest } from './render-chart'

const page = readFileSync(join(kubernetes, '../../docs/run/upgrades.md'), 'utf8')
const [, section = ''] = /## On Kubernetes\n([^]*?)\n## /.exec(page) ?? []
const workers = [...stages, 'ingestor']

const rendered = (args: string[]): Manifest[] =>
  manifestsIn(runTool('helm', ['template', 'plumbline', chart, '-n', 'plumbline', ...args]))
const before = rendered(['--set-string', 'image.tag=0.1.0'])

const setsIn = (command: string): string[] =>
  [...command.matchAll(/--set-string ([^\s`]+)/g)].flatMap(([, set = '']) => [
    '--set-string',
    set.replaceAll('$OLD', '0.1.0').replaceAll('$NEW', '0.2.0'),
  ])
/** Returns what each command of the page sets, in order. */
const steps = [...section.replaceAll('\\\n', ' ').matchAll(/^helm upgrade .*$/gm)].map(([command]) => setsIn(command))
const [, wayBack = ''] = /To return to the earlier version([^]*)$/.exec(section) ?? []
const stepsBack = [...wayBack.matchAll(/`(--set-string [^`]+)`/g)].map(([, command = '']) => setsIn(command))
/** Returns the apps whose pods are replaced from one state to the next. */
const replaced = (from: Manifest[], to: Manifest[]): string[] =>
  ['gateway', ...workers].filter(
    (app) => JSON.stringify(appIn(from, app).template) !== JSON.stringify(appIn(to, app).template),
  )
const versions = (manifests: Manifest[]): Set<string | undefined> =>
  new Set(['gateway', ...workers].map((app) => appIn(manifests, app).pod.containers[0]?.image.split(':')[1]))

describe('the two steps of an upgrade', () => {
  it('replace the workers and the ingestor first, and the gateway last', () => {
    const [first = [], second = []] = steps.map(rendered)
    expect(steps.length).toBe(2)
    expect(replaced(before, first)).toEqual(workers)
    expect(replaced(first, second)).toEqual(['gateway'])
    expect(versions(second)).toEqual(new Set(['0.2.0']))
  })

  it('lead back in the reverse order', () => {
    const [gateway = [], all = []] = stepsBack.map(rendered)
    expect(stepsBack.length).toBe(2)
    expect(replaced(rendered(steps[1] ?? []), gateway)).toEqual(['gateway'])
    expect(replaced(gateway, all)).toEqual(workers)
    expect(all).toEqual(before)
  })

  it('raise the tags of the workers alone with kustomize too', () => {
    const tagged = (apps: string[], tag: string): string[] =>
      apps.map((app) => `  - { name: plumbline-${app}, newTag: ${tag} }`)
    const [old, first, second] = [
      withOwn('ha', ['images:', ...tagged(['gateway', ...workers], '0.1.0')]),
      withOwn('ha', ['images:', ...tagged(['gateway'], '0.1.0'), ...tagged(workers, '0.2.0')]),
      withOwn('ha', ['images:', ...tagged(['gateway', ...workers], '0.2.0')]),
    ]
    expect(replaced(old, first)).toEqual(workers)
    expect(replaced(first, second)).toEqual(['gateway'])
  })

  it('have the tags of the first one as a file', () => {
    const first = rendered([
      '--values',
      join(kubernetes, 'sets/upgrade-workers.yaml'),
      '--set-string',
      'image.tag=0.1.0',
    ])
    expect(replaced(before, first)).toEqual(workers)
    expect(first).toEqual(rendered(steps[0] ?? []))
  })
})
