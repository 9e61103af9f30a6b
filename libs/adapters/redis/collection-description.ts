const longest = 1_200

/** A description for a collection nobody described: the titles of its documents, then their headings, each once. */
export const describe = (name: string, titlesOfDocuments: string[][]): string => {
  const [titles, headings] = [titlesOfDocuments.map(([title = '']) => title), titlesOfDocuments.flatMap(([, ...rest]) => rest)]
  const said = new Set<string>()
  let text = ''
  for (const words of [...titles, ...headings]) {
    const key = words.trim().toLowerCase()
    if (key === '' || said.has(key) || text.length + words.length > longest) continue
    said.add(key)
    text += `${text === '' ? '' : '; '}${words.trim()}`
  }
  return text === '' ? `The collection ${name}, still without documents.` : text
}
