const descriptions: Record<string, string> = {
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

export const policyDescription = (name: string): string =>
  Object.hasOwn(descriptions, name) ? (descriptions[name] ?? '') : 'set up by your operator'
