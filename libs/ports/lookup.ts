/** A parameter of a lookup, filled from the question. The value must be one of `values`, or match `pattern`. */
export type LookupParam = { name: string; description: string; pattern?: string; values?: string[] }

export type LookupCard = { name: string; description: string; params: LookupParam[] }

/** `cut`: some rows are missing, because the source has more rows than the limit. */
export type Looked =
  { kind: 'rows'; columns: string[]; rows: string[][]; cut: boolean } | { kind: 'text'; text: string }

/** A lookup reads one source and is available only to the listed tenants and collections. */
export interface Lookup extends LookupCard {
  readonly tenants: readonly string[]
  readonly collections: readonly string[]
  look(values: Record<string, string>, signal: AbortSignal): Promise<Looked>
}

const longest = 200

const faultOf = ({ name, pattern, values }: LookupParam, value: string | undefined): string | null => {
  if (value === undefined) return `“${name}” is missing`
  if (value.length > longest) return `“${name}” is too long`
  if (values && !values.includes(value)) return `“${name}” may not be “${value}”`
  return pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value)
    ? `“${name}” may not be “${value}”`
    : null
}

/** Returns a description of the first invalid parameter value. Returns null if all values are valid. */
export const faultIn = ({ params }: Pick<LookupCard, 'params'>, values: Record<string, string>): string | null => {
  const strange = Object.keys(values).find((name) => !params.some((param) => param.name === name))
  if (strange !== undefined) return `“${strange}” is not a parameter`
  return (
    params
      .map((param) => faultOf(param, Object.hasOwn(values, param.name) ? values[param.name] : undefined))
      .find((fault) => fault !== null) ?? null
  )
}
