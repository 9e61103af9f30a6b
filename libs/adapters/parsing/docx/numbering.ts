import { numeral } from '../ooxml'
import type { XmlNode } from '../xml'
import { child, childrenOf, isOn, val } from '../xml'

type Level = { format: string; text: string; start: number; legal: boolean; endless: boolean }
type List = { counts: (number | undefined)[]; levels: Map<number, Level> }

const levelOf = (node: XmlNode | undefined): Level => ({
  format: val(child(node, 'numFmt')) ?? 'decimal',
  text: val(child(node, 'lvlText')) ?? '',
  start: Number(val(child(node, 'start')) ?? 1),
  legal: isOn(child(node, 'isLgl')),
  endless: val(child(node, 'lvlRestart')) === '0',
})

const byId = (nodes: XmlNode[], name: string): Map<string, XmlNode> =>
  new Map(nodes.map((node) => [node.attributes[name] ?? '', node]))

/** The label that Word would draw before an item: none for a bullet, nothing at all where the list has no such level. */
export type Numbering = { next: (list: string, level: number) => { label?: string } | undefined }

export const numberingOf = (part: XmlNode | undefined): Numbering => {
  const abstracts = byId(childrenOf(part, 'abstractNum'), 'abstractNumId')
  const instances = byId(childrenOf(part, 'num'), 'numId')
  const counted = new Map<string, List>()
  const restarted = new Set<string>()

  const abstractOf = (instance: XmlNode): { id: string; node: XmlNode | undefined } => {
    const id = val(child(instance, 'abstractNumId')) ?? ''
    const link = val(child(abstracts.get(id), 'numStyleLink'))
    const linked =
      link === undefined ? undefined : [...abstracts].find(([, node]) => val(child(node, 'styleLink')) === link)
    return linked ? { id: linked[0], node: linked[1] } : { id, node: abstracts.get(id) }
  }

  /** Instances of one list go on counting together, but for what one of them overrides. */
  const listOf = (id: string): List | undefined => {
    const instance = instances.get(id)
    if (!instance) return undefined
    const abstract = abstractOf(instance)
    const list = counted.get(abstract.id) ?? { counts: [], levels: new Map() }
    const base = childrenOf(abstract.node, 'lvl').map((node): [number, Level] => [
      Number(node.attributes['ilvl']),
      levelOf(node),
    ])
    list.levels = new Map(base)
    counted.set(abstract.id, list)
    for (const override of childrenOf(instance, 'lvlOverride')) {
      const at = Number(override.attributes['ilvl'])
      const own = child(override, 'lvl')
      const level = own ? levelOf(own) : list.levels.get(at)
      const start = val(child(override, 'startOverride'))
      if (level) list.levels.set(at, { ...level, ...(start !== undefined && { start: Number(start) }) })
      if (start !== undefined && !restarted.has(`${id} ${at}`)) {
        restarted.add(`${id} ${at}`)
        list.counts.length = Math.min(list.counts.length, at)
      }
    }
    return list
  }

  const next = (id: string, at: number): { label?: string } | undefined => {
    const list = listOf(id)
    const level = list?.levels.get(at)
    if (!list || !level) return undefined
    list.counts = list.counts.map((count, deep) => (deep > at && !list.levels.get(deep)?.endless ? undefined : count))
    list.counts[at] = (list.counts[at] ?? level.start - 1) + 1
    if (level.format === 'bullet') return {}
    if (level.format === 'none' && level.text.trim() === '') return undefined
    const label = level.text.replace(/%(\d)/g, (_, digit: string) => {
      const other = list.levels.get(Number(digit) - 1)
      const count = list.counts[Number(digit) - 1] ?? other?.start ?? 1
      return numeral(count, level.legal ? 'decimal' : (other?.format ?? 'decimal'))
    })
    return label.trim() === '' ? undefined : { label: label.trim() }
  }
  return { next }
}
