import type { Evidence } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'

/** Numbers passages in the order in which they were found. Passages cited in released text keep their numbers. */
export const passageNumbers = ({ steps, shown }: Run): string[] => {
  const found = [...new Set(steps.flatMap(({ evidence }) => evidence.map(({ id }) => id)))]
  const given = shown?.numbers ?? []
  if (given.every((id, at) => id === '' || id === found[at])) return found
  return [...given, ...found.filter((id) => !given.includes(id))]
}

export const byNumber = (evidence: readonly Evidence[], numbers: readonly string[]): Evidence[] => {
  const place = new Map(numbers.map((id, at) => [id, at]))
  const placeOf = ({ id }: Evidence): number => place.get(id) ?? numbers.length
  return [...evidence].sort((a, b) => placeOf(a) - placeOf(b))
}
