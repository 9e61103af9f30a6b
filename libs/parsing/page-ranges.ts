/** Returns a text such as `page 2` or `pages 3–7 and 9`. */
export const ranges = (pages: readonly number[]): string => {
  const runs: { from: number; to: number }[] = []
  for (const page of pages) {
    const run = runs.at(-1)
    if (run?.to === page - 1) run.to = page
    else runs.push({ from: page, to: page })
  }
  const said = runs.map(({ from, to }) => (from === to ? String(from) : `${String(from)}–${String(to)}`))
  const last = said.at(-1) ?? ''
  return `${pages.length === 1 ? 'page' : 'pages'} ${said.length > 1 ? `${said.slice(0, -1).join(', ')} and ${last}` : last}`
}
