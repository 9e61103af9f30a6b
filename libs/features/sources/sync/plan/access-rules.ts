import type { SourceAccessRule } from '@plumbline/contracts'

/** Matches a pattern with wildcards. The run time is at most proportional to the pattern's length times `length`. */
const matchAll = <T>(
  pattern: readonly T[],
  isAny: (one: T) => boolean,
  matches: (one: T, at: number) => boolean,
  length: number,
): boolean => {
  let [at, next] = [0, 0]
  let back: { at: number; next: number } | undefined
  while (next < length) {
    const one = pattern[at]
    if (one !== undefined && isAny(one)) {
      back = { at: at + 1, next }
      at += 1
    } else if (one !== undefined && matches(one, next)) {
      at += 1
      next += 1
    } else if (back) {
      back.next += 1
      ;({ at, next } = back)
    } else return false
  }
  return pattern.slice(at).every(isAny)
}

const matchPart = (pattern: string, part: string): boolean => {
  const [marks, letters] = [[...pattern], [...part]]
  const matches = (mark: string, at: number): boolean => mark === '?' || mark === letters[at]
  return matchAll(marks, (mark) => mark === '*', matches, letters.length)
}

/**
 * Returns whether a path matches a pattern. Node's own matcher is not used, because it skips names that begin with a
 * dot and takes minutes for some patterns.
 */
export const matchesPath = (pattern: string, path: string): boolean => {
  const parts = path.split('/')
  const matches = (one: string, at: number): boolean => matchPart(one, parts[at] ?? '')
  return matchAll(pattern.split('/'), (one) => one === '**', matches, parts.length)
}

export const tagsOf = (rules: readonly SourceAccessRule[], path: string): string[] =>
  [...(rules.find(({ paths }) => matchesPath(paths, path))?.access ?? [])].sort()
