import type { Lookup } from '@plumbline/ports/lookup'
import { openHttpLookup } from './http-lookup'
import type { DeclaredLookup } from './lookups-file'
import { openSqlLookup } from './sql-lookup'

export { readLookups, type DeclaredLookup } from './lookups-file'

/** Opens what was declared; a query that SQLite would not take is told now and not at the first question. */
export const openLookups = (declared: DeclaredLookup[]): Promise<Lookup[]> =>
  Promise.all(declared.map(async (lookup) => (lookup.kind === 'sql' ? openSqlLookup(lookup) : openHttpLookup(lookup))))
