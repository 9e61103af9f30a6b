import { blocks, markdownTable, escapedLine } from '../write-markdown'
import { formatNumber } from './number-format'
import { child, childrenOf, val, textBelow, type XmlNode } from './xml'

type Series = { name: string; categories: string[]; values: string[] }

const mostPoints = 100_000

const chartKind = (name: string): string | undefined => {
  const kind = /^(?:of)?(bar|line|pie|doughnut|area|scatter|bubble|radar|stock|surface)(?:3D)?Chart$/i.exec(name)?.[1]
  return kind && `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()} chart`
}

const pointText = (point: XmlNode, code: string | undefined): string => {
  const text = child(point, 'v')?.text ?? ''
  const format = point.attributes['formatCode'] ?? code
  return format === undefined || text === '' || Number.isNaN(Number(text)) ? text : formatNumber(Number(text), format)
}

const cacheText = (cache: XmlNode | undefined): string[] => {
  const code =
    cache?.name === 'numCache' || cache?.name === 'numLit' ? (child(cache, 'formatCode')?.text ?? 'General') : undefined
  const found: string[] = []
  for (const point of childrenOf(cache, 'pt')) {
    const at = Number(point.attributes['idx'] ?? found.length)
    if (at >= 0 && at < mostPoints) found[at] = pointText(point, code)
  }
  return Array.from(found, (text) => text ?? '')
}

/** Repeats the outer labels of grouped categories, because the file stores each label only at its first category. */
const levelsText = (levels: XmlNode[]): string[] => {
  const [inner = [], ...outer] = levels.map(cacheText)
  const filled = outer.map((level) =>
    inner.map((_, at) => level.slice(0, at + 1).findLast((text) => text !== '') ?? ''),
  )
  return inner.map((text, at) =>
    [...filled.map((level) => level[at] ?? '').reverse(), text].filter((part) => part !== '').join(' '),
  )
}

const caches = ['strCache', 'numCache', 'multiLvlStrCache', 'strLit', 'numLit']

/** Reads the copy of the values that the chart itself contains, because the spreadsheet may be in another file. */
const pointsOf = (node: XmlNode | undefined): string[] => {
  const cache = node?.children.flatMap((one) =>
    caches.includes(one.name) ? [one] : one.children.filter(({ name }) => caches.includes(name)),
  )[0]
  return cache?.name === 'multiLvlStrCache' ? levelsText(childrenOf(cache, 'lvl')) : cacheText(cache)
}

const seriesOf = (node: XmlNode, at: number): Series => ({
  name: (pointsOf(child(node, 'tx')).join(' ') || child(node, 'tx', 'v')?.text) ?? `Series ${at + 1}`,
  categories: pointsOf(child(node, 'cat') ?? child(node, 'xVal')),
  values: pointsOf(child(node, 'val') ?? child(node, 'yVal')),
})

const tableOf = (series: Series[], label: string): string => {
  const [first] = series
  const height = Math.max(0, ...series.map(({ values }) => values.length))
  if (!first || height === 0) return ''
  const rows = Array.from({ length: height }, (_, at) => [
    first.categories[at] ?? String(at + 1),
    ...series.map(({ values }) => values[at] ?? ''),
  ])
  return markdownTable([[label, ...series.map(({ name }) => name)], ...rows])
}

/** Groups the series that have the same categories, because they fit into one table. */
const alike = (all: Series[]): Series[][] => [...Map.groupBy(all, ({ categories }) => categories.join('\n')).values()]

const titleText = (title: XmlNode | undefined): string =>
  (
    childrenOf(child(title, 'tx', 'rich'), 'p')
      .map((line) => textBelow(line))
      .join(' ') || pointsOf(child(title, 'tx')).join(' ')
  ).trim()

/** Returns the title of the horizontal or vertical axis. In a scatter chart, only the position tells which it is. */
const axisTitle = (plot: XmlNode | undefined, across: boolean): string => {
  const axes = plot?.children.filter(({ name }) => name.endsWith('Ax')) ?? []
  const isAcross = (axis: XmlNode) =>
    axes.every(({ name }) => name === 'valAx')
      ? ['b', 't'].includes(val(child(axis, 'axPos')) ?? '')
      : axis.name !== 'valAx'
  return (
    axes
      .filter((axis) => isAcross(axis) === across)
      .map((axis) => titleText(child(axis, 'title')))
      .find((text) => text !== '') ?? ''
  )
}

export const chartBlocks = (part: XmlNode): string => {
  const chart = child(part, 'chart')
  const plot = child(chart, 'plotArea')
  const groups = plot?.children.filter(({ name }) => chartKind(name) !== undefined) ?? []
  const series = groups.flatMap((group) => childrenOf(group, 'ser')).map(seriesOf)
  const kind = [...new Set(groups.map(({ name }) => chartKind(name)))].join(' and ')
  const told = titleText(child(chart, 'title'))
  const only = series.length === 1 ? (series[0]?.name ?? '') : ''
  const measure = axisTitle(plot, false)
  const name = told || only
  const caption = [
    kind || 'Chart',
    [name, measure === '' || name.includes(measure) ? '' : `(${measure})`].join(' ').trim(),
  ]
    .filter((text) => text !== '')
    .join(': ')
  const tables = alike(series).map((one) => tableOf(one, axisTitle(plot, true)))
  return series.length === 0 && told === '' ? '' : blocks(escapedLine(caption), tables)
}
