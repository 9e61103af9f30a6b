import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ofOverlay, ofSet, overlays, sets } from './manifests'

const root = join(import.meta.dirname, '..', '..', '..')

describe('every manifest', () => {
  it('has no field that its kind does not know', () => {
    const all = [...sets.flatMap(ofSet), ...overlays.flatMap(ofOverlay)]
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-manifests-'))
    try {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      const kinds = new Map(all.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]))
      const imports = [...kinds.values()].map(({ apiVersion, kind }) => {
        const from = apiVersion.startsWith('keda.sh')
          ? '@kubernetes-models/keda'
          : apiVersion.startsWith('monitoring.coreos.com')
            ? '@kubernetes-models/prometheus-operator'
            : 'kubernetes-models'
        return `import type { I${kind} } from '${from}/${apiVersion}'`
      })
      const texts = [
        ...new Set(all.map((manifest) => `void (${JSON.stringify(manifest)} satisfies I${manifest.kind})`)),
      ]
      writeFileSync(join(folder, 'all.ts'), [...imports, ...texts].join('\n'))
      const { stdout } = spawnSync(
        process.execPath,
        [
          join(root, 'node_modules/typescript-native/bin/tsc'),
          '--ignoreConfig',
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--types',
          '',
          '--module',
          'nodenext',
          join(folder, 'all.ts'),
        ],
        { encoding: 'utf8' },
      )
      expect(stdout).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
