import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { runTool } from './kubernetes-tools'

export const chart = join(import.meta.dirname, '..', 'chart')

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
} & Record<string, unknown>

/** Parses the output of helm or kubectl. */
export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null)

export const defaults = (): Record<string, unknown> =>
  parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>

const release = ['plumbline', chart, '--namespace', 'plumbline']

/** Renders the chart with a file of values. */
export const renderFile = (file: string): Manifest[] =>
  manifestsIn(runTool('helm', ['template', ...release, '--values', file]))

/** Renders the chart with these values. If Helm rejects the values, throws Helm's message. */
export const renderChart = (values: object): Manifest[] =>
  manifestsIn(runTool('helm', ['template', ...release, '--values', '-'], stringify(values)))

export const renderTemplates = (values: object, templates: string[]): Manifest[] => {
  const only = templates.flatMap((template) => ['--show-only', `templates/${template}`])
  return manifestsIn(runTool('helm', ['template', ...release, '--values', '-', ...only], stringify(values)))
}

/** Returns the output of `helm lint` for a file of values, or for the default values. */
export const lint = (file?: string): string =>
  runTool('helm', ['lint', chart, '--strict', ...(file === undefined ? [] : ['--values', file])])
