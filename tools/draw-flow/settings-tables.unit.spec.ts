import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { allStages } from '@plumbline/stages/all'
import { missingSettings, settingsPages, withSettings } from './settings-tables'

const page = (cell: string): string => `# Page

| variable | default | meaning |
|---|---|---|
| ${cell} | stale | stale |

| word | meaning |
|---|---|
| \`PORT\` | stays |
`
const rowOf = (cell: string, on = 'reference/settings.md'): string | undefined =>
  withSettings(on, page(cell)).split('\n')[4]

describe('the tables of settings', () => {
  it('take default and meaning from the schema, and leave other tables as they are', () => {
    expect(rowOf('`HOST`, `PORT`')).toMatch(
      /^\| `HOST`, `PORT` \| `127\.0\.0\.1`, `3000` \| address of .*; its port \|$/,
    )
    expect(rowOf('`MAX_QUEUE_SECONDS`')).toMatch(/^\| `MAX_QUEUE_SECONDS` \| `300` \| if an interactive job/)
    expect(withSettings('reference/settings.md', page('`PORT`'))).toContain('| `PORT` | stays |')
  })

  it('show an unset default once, and the default of the documentation before that of the schema', () => {
    expect(rowOf('`S3_BUCKET`, `S3_PREFIX`')).toMatch(/^\| `S3_BUCKET`, `S3_PREFIX` \| – \| the bucket/)
    expect(rowOf('`POLICIES`')).toMatch(/^\| `POLICIES` \| all \|/)
  })

  it('have links that are relative to their page', () => {
    expect(rowOf('`EMBEDDING_MODEL`', 'run/models.md')).toContain('[embeddings](#embeddings)')
    expect(rowOf('`EMBEDDING_MODEL`')).toContain('[embeddings](../run/models.md#embeddings)')
  })

  it('reject a name that no schema declares', () => {
    expect(() => rowOf('`TENANT_GREETING`')).toThrow(/settings\.md has a row for TENANT_GREETING/)
  })

  it('show every setting of every app', () => {
    const pages = settingsPages.map((name) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8'))
    const schemas = [...Object.values(allStages), ingestorWith([])].map(({ env }) => env)
    expect(missingSettings(pages)).toEqual([])
    expect(missingSettings(pages, schemas)).toEqual([])
    expect(missingSettings(pages.map((text) => text.replace('| `FOUR_EYES` |', '| `EYES` |')))).toEqual(['FOUR_EYES'])
  })
})
