import { attackAddresses, attackByRebinding } from '@plumbline/adapters/fetching/spec/attacks'
import { throwBombs } from '@plumbline/parsing/spec/throw-bombs'
import { seconds, type Row } from '../row'

export const S3: Row = {
  id: 'S3',
  promise:
    '≥ 60 addresses that lead inside, as documents, as webhooks, behind redirects, by names that change: 0 connections',
  run: async () => {
    const { judged, connections } = await attackAddresses()
    const rebinding = await attackByRebinding()
    const refused = judged.filter((one) => one.refused).length
    const addresses = new Set(judged.map(({ address }) => address)).size
    return {
      holds: addresses >= 60 && refused === judged.length && connections + rebinding.connections === 0,
      figures: { addresses, refused: `${refused}/${judged.length}`, connections: connections + rebinding.connections },
    }
  },
}

/** Files for which the expected values are known. */
const told = ['self.pdf', 'quotes.csv', 'attributes.html', 'wide.csv']

/** The product limits processor time. In the short form, other work of the machine adds to the time that passes. */
const mostMs = { full: 5_000, short: 15_000 }
/** A watchdog measures a reader every few ms. In the short form, other work of the machine delays the watchdog. */
const mostReaderMb = { full: 150, short: 250 }

export const S4: Row = {
  id: 'S4',
  promise:
    '≥ 15 bombs: refused in ≤ 5 s, memory +≤ 150 MB, here and beyond a reader’s start; other files are read meanwhile',
  run: async (scale) => {
    const { bombs, burdens, grownMb, keptMb, others } = await throwBombs()
    const refused = bombs.filter((bomb) => bomb.refused).length
    const slowest = bombs.toSorted((a, b) => b.ms - a.ms)[0]
    const largest = bombs.toSorted((a, b) => b.readerMb - a.readerMb)[0]
    const harmless = burdens.filter((burden) => burden.refused || burden.ended.startsWith('read ')).length
    return {
      holds:
        bombs.length >= 15 &&
        refused === bombs.length &&
        harmless === burdens.length &&
        (slowest?.ms ?? Infinity) <= mostMs[scale] &&
        (largest?.readerMb ?? Infinity) <= mostReaderMb[scale] &&
        grownMb <= 150 &&
        others.failed === 0 &&
        others.read > 10,
      figures: {
        bombs: bombs.length,
        refused,
        slowest: `${slowest?.name} ${seconds(slowest?.ms ?? 0)}`,
        'largest reader': `${largest?.name} +${largest?.readerMb} MB`,
        ...Object.fromEntries(
          [...bombs, ...burdens]
            .filter(({ name }) => told.includes(name))
            .map(({ name, ms, readerMb }) => [name, `${seconds(ms)} +${readerMb} MB`]),
        ),
        memory: `+${Math.round(grownMb)} MB, at the end +${Math.max(0, Math.round(keptMb))} MB`,
        'hard files': `${harmless}/${burdens.length}`,
        'other files read': others.read,
        'slowest of them': seconds(others.slowestMs),
      },
    }
  },
}
