const longest = 1_200

const different = (titlesOfDocuments: string[][]): string[] =>
  [...new Set(titlesOfDocuments.flat().map((each) => each.trim().toLowerCase()))].filter((each) => each !== '')

/** There are more titles and headings than a description has room for. */
export const isCut = (titlesOfDocuments: string[][]): boolean =>
  different(titlesOfDocuments).reduce((sum, { length }) => sum + length + 2, 0) > longest

/** A description for a collection nobody described: the titles of its documents, then their headings, each once. */
export const describe = (titlesOfDocuments: string[][]): string => {
  const titles = titlesOfDocuments.flatMap(([title]) => title ?? [])
  const headings = titlesOfDocuments.flatMap(([, ...rest]) => rest)
  const said = new Map<string, string>()
  let length = 0
  for (const words of [...titles, ...headings].map((each) => each.trim())) {
    const key = words.toLowerCase()
    if (key === '' || said.has(key) || length + words.length > longest) continue
    said.set(key, words)
    length += words.length + 2
  }
  return [...said.values()].join('; ')
}
