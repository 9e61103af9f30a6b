import { fuzzApi } from '@plumbline/testing/api-fuzz'
import type { Row } from '../row'
import { inWorld } from '../world'

const seed = 20_261_123

export const S13: Row = {
  id: 'S13',
  promise:
    '≥ 5,000 requests made from our own OpenAPI, good and spoilt, at a gateway in a process of its own: 0 answers of 5xx',
  run: (scale) =>
    inWorld({ workers: 1 }, async ({ url, askWell, ready }) => {
      const cases = scale === 'full' ? 5_000 : 600
      const ids = [await askWell(), await askWell({ grounding: '0' })]
      const statuses = await fuzzApi({ url, ids, cases, seed })
      const sum = (from: number): number =>
        [...statuses].reduce((all, [status, count]) => all + (status >= from && status < from + 100 ? count : 0), 0)
      const sent = [...statuses.values()].reduce((all, count) => all + count, 0)
      return {
        holds: sent >= cases && sum(500) === 0 && sum(200) > 0 && sum(400) > 0 && (await ready()),
        figures: { requests: sent, '2xx': sum(200), '4xx': sum(400), '5xx': sum(500) },
      }
    }),
}
