/** Code as a fenced block, in a fence longer than any that it holds; blank lines around it go, nothing else does. */
export const fenced = (code: string, language: string): string => {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const lines = code.split('\n')
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return `${fence}${language}\n${lines.slice(Math.max(0, from), to + 1).join('\n')}\n${fence}`
}
