/**
 * A parameter of a lookup. Its value comes from the question, and is one of `values` or a text that matches `pattern`.
 */
export type LookupParam = { name: string; description: string; pattern?: string; values?: string[] }

/** Describes a lookup to the model that fills its parameters. */
export type LookupCard = { name: string; description: string; params: LookupParam[] }

/** The result of a lookup. `cut`: the source had more rows than the limit, so some are missing. */
export type Looked =
  { kind: 'rows'; columns: string[]; rows: string[][]; cut: boolean } | { kind: 'text'; text: string }

/**
 * A query that an operator allows. It has parameters, reads one source, and serves the named tenants and collections.
 */
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

/** Returns the first problem with the values for a lookup, or null if they are valid. */
export const faultIn = ({ params }: Pick<LookupCard, 'params'>, values: Record<string, string>): string | null => {
  const strange = Object.keys(values).find((name) => !params.some((param) => param.name === name))
  if (strange !== undefined) return `“${strange}” is not a parameter`
  return (
    params
      .map((param) => faultOf(param, Object.hasOwn(values, param.name) ? values[param.name] : undefined))
      .find((fault) => fault !== null) ?? null
  )
}
