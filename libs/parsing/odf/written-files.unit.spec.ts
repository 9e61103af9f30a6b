import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readOdf } from './read-odf'

const read = (name: string) => readOdf(readFileSync(new URL(`../spec/written/${name}`, import.meta.url)), { name })

const handbook = `# Harbor handbook

## Berths

The harbor has four berths[^1]. See the [tide page](https://harbor.example/tides).

| Berth | Length (m) | Depth (m) |
| --- | --- | --- |
| North | 120 | 6.5 |
| South | 95 | 5.2 |

[^1]: A berth is closed in storms.

### Fees

1. A barge pays by the day.
2. A tug pays by the hour:
    - in summer 14 euros
    - in winter 11 euros

The quay covers 900 m^2, and a^2+b^2=c^2 holds.`

const slides = [
  '## Harbor plan',
  '## Berths\n\n- North is 120 m long\n- South is 95 m long\n\nNotes: Say that South is closed on Sundays.',
  '## Depths\n\n| Berth | Depth |\n| --- | --- |\n| North | 6.5 |\n| South | 5.2 |',
]

const sheet = `## sheet

| Berth | Length (m) | Opened | Share |
| --- | --- | --- | --- |
| North | 120 | 2014-05-01 | 12.5% |
| South | 95 | 2019-11-30 | 87.5% |`

describe('OpenDocument files as other programs write them', () => {
  it.each(['libreoffice.odt', 'pandoc.odt'])('reads the whole text of %s', async (name) => {
    expect(await read(name)).toEqual({ title: 'Harbor handbook', markup: 'markdown', parts: [{ text: handbook }] })
  })

  it('reads the whole of libreoffice.ods', async () => {
    expect((await read('libreoffice.ods')).parts).toEqual([{ page: 1, text: sheet }])
  })

  it('reads the whole of libreoffice.odp, without the page numbers of its notes', async () => {
    expect((await read('libreoffice.odp')).parts.map(({ text }) => text)).toEqual(slides)
  })
})
