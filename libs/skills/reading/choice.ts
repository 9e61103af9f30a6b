const opener = String.raw`(?:,|:|\bbetween\b|\bwas it\b|\bis it\b|\bolder\b|\byounger\b|\bfirst\b|\blater?\b|\bearlier\b|\bmore\b|\bmost\b|\bis\b|-)?`
const last = new RegExp(String.raw`${opener}\s*([^,:?]+?),?\s+or\s+([^,?]+)\??\s*$`, 'i')
const inside = /,\s*([^,?]+?)\s+or\s+([^,?]+),/i
const between = /\bbetween\s+(.+?)\s+and\s+(.+?),?\s+(?:which|who)\b/i
const isOrAre =
  /^(?:is|are|was|were|did|does)\s+(.+?)\s+or\s+(?:the\s+)?(.+?)\s+(?:the|a|an|older|younger|located|based|in|from)\b/i

/** `Which is older, A or B?`: the two things to choose from, as they are written. */
export const alternatives = (question: string): [string, string] | null => {
  const found = between.exec(question) ?? isOrAre.exec(question) ?? last.exec(question) ?? inside.exec(question)
  const [, a, b] = found ?? []
  return a !== undefined && b !== undefined ? [a.trim(), b.trim()] : null
}
