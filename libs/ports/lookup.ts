/** What a question may fill: one of the values, or what fits the pattern. */
export type LookupParam = { name: string; description: string; pattern?: string; values?: string[] }

/** What somebody needs to know of a lookup to fill it. */
export type LookupCard = { name: string; description: string; params: LookupParam[] }

/** `cut`: there was more than the lookup may bring. */
export type Looked =
  { kind: 'rows'; columns: string[]; rows: string[][]; cut: boolean } | { kind: 'text'; text: string }

/** Something an operator allows to be read: one question with gaps, to one source, for named tenants and collections. */
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

/** What is wrong with the values for a lookup; null: nothing. */
export const faultIn = ({ params }: Pick<LookupCard, 'params'>, values: Record<string, string>): string | null => {
  const strange = Object.keys(values).find((name) => !params.some((param) => param.name === name))
  if (strange !== undefined) return `“${strange}” is no parameter`
  return (
    params
      .map((param) => faultOf(param, Object.hasOwn(values, param.name) ? values[param.name] : undefined))
      .find((fault) => fault !== null) ?? null
  )
}
