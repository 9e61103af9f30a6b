/** A parameter of a lookup. Its value is taken from the question and must match `values`, `pattern` and `type`. */
export type LookupParam = {
  name: string
  description: string
  type?: 'integer' | 'number' | 'date'
  pattern?: string
  values?: string[]
}

export type LookupCard = { name: string; description: string; params: LookupParam[] }

/** The result of a lookup. `cut` is true if the source has more rows than the limit, so that some rows are missing. */
export type Looked =
  { kind: 'rows'; columns: string[]; rows: string[][]; cut: boolean } | { kind: 'text'; text: string }

export interface DescribedLookup extends LookupCard {
  readonly tenants: readonly string[]
  readonly collections: readonly string[]
}

export interface Lookup extends DescribedLookup {
  look(values: Record<string, string>, signal: AbortSignal): Promise<Looked>
}

type Reach = { tenant: string; collections: readonly string[]; filters?: object | undefined }

/** Returns the lookups that a question may use: none if it has filters, which apply only to documents. */
export const lookupsWithin = <L extends DescribedLookup>(
  lookups: readonly L[],
  { tenant, collections, filters = {} }: Reach,
): L[] =>
  Object.keys(filters).length > 0
    ? []
    : lookups.filter(
        (lookup) =>
          lookup.tenants.includes(tenant) && lookup.collections.some((collection) => collections.includes(collection)),
      )

const typePatterns = { integer: '-?\\d{1,15}', number: '-?\\d{1,15}(?:\\.\\d{1,9})?', date: '\\d{4}-\\d{2}-\\d{2}' }
const longest = 200

export const patternOf = ({ pattern, type }: LookupParam): string | undefined => pattern ?? (type && typePatterns[type])

const matchesWhole = (pattern: string, value: string): boolean => new RegExp(`^(?:${pattern})$`, 'u').test(value)

const isDate = (value: string): boolean => {
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const hasType = ({ type }: LookupParam, value: string): boolean =>
  type === undefined || (matchesWhole(typePatterns[type], value) && (type !== 'date' || isDate(value)))

const faultOf = (param: LookupParam, value: string | undefined): string | null => {
  const { name, pattern, values } = param
  if (value === undefined) return `“${name}” is missing`
  if (value.length > longest) return `“${name}” is too long`
  const isAllowed =
    (values?.includes(value) ?? true) &&
    (pattern === undefined || matchesWhole(pattern, value)) &&
    hasType(param, value)
  return isAllowed ? null : `“${name}” may not be “${value}”`
}

export const faultIn = ({ params }: Pick<LookupCard, 'params'>, values: Record<string, string>): string | null => {
  const strange = Object.keys(values).find((name) => !params.some((param) => param.name === name))
  if (strange !== undefined) return `“${strange}” is not a parameter`
  return (
    params
      .map((param) => faultOf(param, Object.hasOwn(values, param.name) ? values[param.name] : undefined))
      .find((fault) => fault !== null) ?? null
  )
}

export const typedValues = (
  { params }: Pick<LookupCard, 'params'>,
  values: Record<string, string>,
): Record<string, string | number> =>
  Object.fromEntries(
    params.flatMap(({ name, type }): [string, string | number][] => {
      const value = values[name]
      if (value === undefined) return []
      return [[name, type === 'integer' || type === 'number' ? Number(value) : value]]
    }),
  )
