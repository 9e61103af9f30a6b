const descriptions: Record<string, string> = {
  standard: 'plans, searches, checks every claim',
  simple: 'one search, one draft, for short questions',
  auto: 'searches as long as time and budget allow',
  research: 'always plans, and asks you if the question is unclear',
  adaptive: 'searches the documents, or the web for other topics',
  corrective: 'also searches the web if the documents say too little',
  'self-reflective': 'searches only if needed',
  agentic: 'splits the question into parts',
  'self-rag': 'rewrites the answer until its claims are supported',
}

export const policyDescription = (name: string): string =>
  Object.hasOwn(descriptions, name) ? (descriptions[name] ?? '') : 'set up by your operator'
