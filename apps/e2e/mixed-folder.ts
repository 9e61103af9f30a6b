import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { docxOf, pptxOf, sheetRows, xlsxOf } from '@plumbline/parsing/spec/sample-office'
import { prose, writePdf } from '@plumbline/parsing/spec/written-pdf'

const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
const styles = [1, 2]
  .map(
    (level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  )
  .join('')
const box = (text: string, kind = 'body'): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`

const water = (litres: number): Uint8Array =>
  writePdf([
    {
      put: [
        { text: 'Water report', x: 72, y: 90, size: 22, font: 'bold' },
        ...prose(
          [
            'This report is about the water that our plants take and give back.',
            'All figures are for the calendar year 2023.',
          ],
          72,
          130,
        ),
      ],
    },
    {
      put: [
        { text: 'Replenishment', x: 72, y: 90, size: 16, font: 'bold' },
        ...prose(
          [
            `The Lindale plant replenished ${litres} million litres of water in 2023.`,
            'The Orrin plant did not take part in the programme.',
          ],
          72,
          130,
        ),
      ],
    },
  ])

const rows = (values: (string | number)[][]) => sheetRows(values)
const notes = (at: number): string =>
  `# Field notes ${at}\n\n## Weather\n\nThe sky over camp ${at} was grey.\n\n## Finds\n\nCamp ${at} logged ${at * 7} stones.\n`

const files = (): Record<string, string | Uint8Array> => ({
  'reports/water.pdf': water(412),
  'reports/broken.pdf': water(1).slice(0, 300),
  'reports/travel policy.docx': docxOf(
    [
      paragraph('Travel policy', 'Heading1'),
      paragraph('Trains', 'Heading2'),
      paragraph('First class is paid on trips that take six hours or longer.'),
      paragraph('Flights', 'Heading2'),
      paragraph('Flights need the approval of the department head.'),
    ].join(''),
    { styles },
  ),
  'figures/depots.xlsx': xlsxOf([
    {
      name: 'Depots',
      rows: rows([
        ['Depot', 'Trucks', 'Drivers'],
        ['Arvika', 14, 31],
        ['Bergsjo', 9, 22],
      ]),
    },
  ]),
  'figures/components.csv': 'Component,Voltage (V),Supplier\nPump P7,24,Hydra\nValve V2,12,Norsel\n',
  'slides/roadmap.pptx': pptxOf([
    box('Where we stand', 'title') + box('Two sensors are in the field.'),
    box('Roadmap', 'title') + box('The Kestrel sensor ships in October 2025.'),
  ]),
  'web/museum.html':
    '<html><head><title>Museum</title></head><body><main><h1>Museum</h1><h2>Opening hours</h2><p>The harbour museum opens at 10:30 on Sundays.</p><h2>Tickets</h2><p>Children enter free of charge.</p></main></body></html>',
  'manual.adoc':
    '= Manual\n\n== Cleaning\n\nRinse the Tarn filter every 90 days.\n\n== Storage\n\nStore the filter dry.\n',
  'minutes.txt': 'Minutes of the board\n\nThe board chose Tove Lind as treasurer.\n',
  'code/limits.ts': '// The gateway refuses uploads over this size.\nexport const largestUploadMegabytes = 64\n',
  ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`notes/camp-${at + 1}.md`, notes(at + 1)])),
  '.hidden/secret.md': '# Secret\n\nNobody sends this.',
  'node_modules/pkg/readme.md': '# A package',
  'film.mp4': 'PK',
  'empty.md': '',
})

const copyDocs = (folder: string): number => {
  const docs = join(import.meta.dirname, '..', '..', 'lab', 'eval', 'docs')
  const groups = readdirSync(docs, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of groups) cpSync(join(docs, name), join(folder, 'docs', name), { recursive: true })
  return groups.flatMap(({ name }) => readdirSync(join(docs, name))).length
}

export const makeFolder = (folder: string): { made: number; copied: number } => {
  const all = Object.entries(files())
  for (const [name, content] of all) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const passedOver = ['.hidden/secret.md', 'node_modules/pkg/readme.md', 'film.mp4', 'empty.md']
  return { made: all.length - passedOver.length, copied: copyDocs(folder) }
}

export const changeWater = (folder: string, litres: number): void =>
  writeFileSync(join(folder, 'reports/water.pdf'), water(litres))
