import type { Unit } from './units'

type Placed = Unit & { at: number }

/** Lines as they are quoted: in order, under what must stand above them, `…` where lines between were left out. */
export const written = (lines: readonly Placed[]): string => {
  const said = new Set<string>()
  let text = ''
  let before: Placed | undefined
  const put = (line: string, glue: string): void => {
    text += text === '' ? line : glue + line
  }
  for (const line of lines) {
    const opens = before?.frame.block !== line.frame.block || line.kind !== before.kind
    if (opens && before?.frame.close) put(before.frame.close, '\n')
    const leads = line.leads.filter((lead) => !said.has(lead))
    const apart = before !== undefined && line.at !== before.at + 1
    if (apart && (line.kind !== 'row' || opens)) put('…', '\n\n')
    leads.forEach((lead) => put(lead, '\n\n'))
    const framed = opens && line.frame.open !== ''
    if (framed) put(line.frame.open, '\n\n')
    const near = framed || (!apart && leads.length === 0)
    put(line.text, framed ? '\n' : near && before ? line.glue : line.kind === 'row' ? '\n' : '\n\n')
    for (const each of [...leads, line.text]) said.add(each)
    before = line
  }
  if (before?.frame.close) put(before.frame.close, '\n')
  return text
}
