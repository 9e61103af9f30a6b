import { constants, DatabaseSync } from 'node:sqlite'

/** Each query runs in a separate process, because an endless query can be stopped only by killing its process. */
type SelectRequest = {
  file: string
  query: string
  values: Record<string, string | number>
  maxRows: number
  maxBytes: number
  only: 'check' | 'run'
}

const reading = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
])
const cell = (value: unknown): string =>
  value === null ? '' : value instanceof Uint8Array ? '(binary)' : String(value)

const answer = ({ file, query, values, maxRows, maxBytes, only }: SelectRequest): unknown => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  db.setAuthorizer((action, _, called) =>
    reading.has(action) && called !== 'load_extension' ? constants.SQLITE_OK : constants.SQLITE_DENY,
  )
  const statement = db.prepare(query)
  const columns = statement.columns().map(({ name }) => name)
  if (only === 'check') return { ok: true, columns, rows: [], cut: false }
  statement.setReturnArrays(true)
  const rows: string[][] = []
  let bytes = 0
  for (const row of statement.iterate(values)) {
    if (rows.length === maxRows) return { ok: true, columns, rows, cut: true }
    const cells = (row as unknown as unknown[]).map(cell)
    bytes += Buffer.byteLength(cells.join(''))
    if (bytes > maxBytes) return { ok: false, message: `the result has more than ${maxBytes} bytes` }
    rows.push(cells)
  }
  return { ok: true, columns, rows, cut: false }
}

process.once('message', (asked: SelectRequest) => {
  let reply: unknown
  try {
    reply = answer(asked)
  } catch (error) {
    reply = { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(reply, () => process.disconnect())
})
