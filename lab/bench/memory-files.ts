import type { Client } from '@plumbline/client'
import { writePdf } from '@plumbline/parsing/spec/written-pdf'
import { retryWhenBusy, whenIndexed } from './lighthouses'

type Bytes = Uint8Array<ArrayBuffer>
const textOf = (text: string): Bytes => new TextEncoder().encode(text)

const collection = 'files'
const words = 'the yield of this plot was measured by the surveyors of the district in the season before'.split(' ')
const sentence = (n: number): string =>
  `${words.map((_, at) => words[(n * 7 + at * 5) % words.length]).join(' ')} ${n * 37}.`

const csvOf = (bytes: number, n: number): Bytes => {
  const columns = Array.from({ length: 40 }, (_, at) => `measure ${at}`)
  const lines = [columns.join(',')]
  for (let row = 0, size = 0; size < bytes; row++) {
    const figures = columns.map((_, at) => (row * 7919 + at * 104729 + n * 31) % 99991)
    const line = `site ${n}-${row},${figures.slice(1).join(',')}`
    size += line.length + 1
    lines.push(line)
  }
  return textOf(lines.join('\n'))
}

const pageOf = (page: number) => ({
  put: Array.from({ length: 45 }, (_, line) => ({
    text: line === 0 ? `Chapter ${page}` : sentence(page * 45 + line).slice(0, 90),
    x: 60,
    y: 60 + line * 15,
    ...(line === 0 && { size: 16, font: 'bold' as const }),
  })),
})
const pdfOf = (pages: number, n: number): Bytes =>
  new Uint8Array(writePdf(Array.from({ length: pages }, (_, at) => pageOf(n * pages + at))))

const partsOf = (n: number): string[] =>
  Array.from({ length: 6 }, (_, at) => Array.from({ length: 8 }, (_, nth) => sentence(n * 48 + at * 8 + nth)).join(' '))
const small: [string, (n: number) => Bytes][] = [
  ['md', (n) => textOf(partsOf(n).reduce((all, part, at) => `${all}# Part ${at} of ${n}\n\n${part}\n\n`, ''))],
  [
    'html',
    (n) => textOf(partsOf(n).reduce((all, part) => `${all}<h2>Part</h2><p>${part}</p>`, `<h1>Report ${n}</h1>`)),
  ],
  ['csv', (n) => csvOf(20_000, n)],
  ['pdf', (n) => pdfOf(3, n)],
]

type File = { name: string; bytes: Bytes }
export const filesOf = {
  /** Returns two files, because an ingestor reads two files at the same time. */
  csvs: (bytes: number): File[] => [1, 2].map((n) => ({ name: `large ${n}.csv`, bytes: csvOf(bytes, n) })),
  pdfs: (pages: number): File[] => [1, 2].map((n) => ({ name: `large ${n}.pdf`, bytes: pdfOf(pages, n) })),
  small: (count: number): File[] =>
    Array.from({ length: count }, (_, n) => {
      const [ending, write] = small[n % small.length] ?? ['md', () => textOf('')]
      return { name: `small ${n}.${ending}`, bytes: write(n) }
    }),
}

/** Sends four files at a time, as `npm run ingest` does. */
export const uploadFiles = async (client: Client, files: readonly File[]): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < files.length; n += 4)
    ids.push(
      ...(await Promise.all(
        files
          .slice(n, n + 4)
          .map(
            async ({ name, bytes }) =>
              (await retryWhenBusy(() => client.uploadDocument(new Blob([bytes]), name, { collection }))).id,
          ),
      )),
    )
  for (const id of ids) await whenIndexed(client, id)
  return ids
}

export const requestPages = async (url: string, id: string, count: number): Promise<void> => {
  const look = async (page: number): Promise<void> => {
    const answer = await fetch(`${url}/v1/documents/${id}/pages/${page}`)
    if (answer.status !== 200) throw new Error(`page ${page} was answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (let page = 1; page <= count; page += 4)
    await Promise.all([page, page + 1, page + 2, page + 3].map((one) => look(one)))
}
