/** Says in one line what a built-in policy does. */
const lines: Record<string, string> = {
  standard: 'plans, searches, checks every claim',
  simple: 'one search, one draft, for short questions',
  auto: 'as deep as time and money allow',
  research: 'always plans, and asks you if in doubt',
  adaptive: 'the documents, or the web for other topics',
  corrective: 'adds web results to weak evidence',
  'self-reflective': 'searches only if needed',
  agentic: 'splits the question into parts',
  'self-rag': 'writes again until it is supported',
}

/** Returns what a policy does. The operator writes the other policies, which have no description. */
export const policyLine = (name: string): string =>
  Object.hasOwn(lines, name) ? (lines[name] ?? '') : 'set up by your operator'
