const descriptions: Record<string, string> = {
  standard: 'plans the search and checks every claim',
  simple: 'searches once and writes once, for short questions',
  auto: 'keeps searching while time and budget allow',
  research: 'always plans the search, and asks you if the question is unclear',
  adaptive: 'searches the documents, or the web for other topics',
  corrective: 'also searches the web if the documents say too little',
  'self-reflective': 'searches the documents only if needed',
  agentic: 'splits the question and searches for each part',
  'self-rag': 'rewrites the answer until its claims are supported',
}

export const policyDescription = (name: string): string =>
  Object.hasOwn(descriptions, name) ? (descriptions[name] ?? '') : 'added by your operator'
