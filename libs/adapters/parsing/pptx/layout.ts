import type { OfficePackage } from '../ooxml'
import type { XmlNode } from '../xml'
import { below, child } from '../xml'

export type Placeholder = { type: string; idx: string | undefined; shape: XmlNode }
/** Where a slide's shapes take from what they leave out: its layout, and the layout's master. */
export type Layout = { placeholders: Placeholder[][]; bodyStyle: XmlNode | undefined }

export const placeholderOf = (shape: XmlNode): Placeholder | undefined => {
  const mark = below(
    shape.children.find(({ name }) => name.startsWith('nv')),
    'ph',
  )[0]
  return mark && { type: mark.attributes['type'] ?? 'obj', idx: mark.attributes['idx'], shape }
}

const kin = (type: string): string =>
  type === 'ctrTitle'
    ? 'title'
    : ['obj', 'subTitle', 'tbl', 'chart', 'dgm', 'media', 'clipArt', 'pic'].includes(type)
      ? 'body'
      : type

const placeholdersIn = (part: XmlNode | undefined): Placeholder[] =>
  below(part, 'sp').flatMap((shape) => placeholderOf(shape) ?? [])

const related = (office: OfficePackage, path: string, wanted: string): string | undefined =>
  office.relations(path).find(({ type }) => type === wanted)?.target

/** Layouts are shared by many slides, so each is read once. */
export const layoutsOf = (office: OfficePackage): ((slide: string) => Layout) => {
  const read = new Map<string, Layout>()
  return (slide) => {
    const path = related(office, slide, 'slideLayout') ?? ''
    const known = read.get(path)
    if (known) return known
    const masterPath = related(office, path, 'slideMaster')
    const master = masterPath === undefined ? undefined : office.part(masterPath)
    const layout = {
      placeholders: [placeholdersIn(office.part(path)), placeholdersIn(master)],
      bodyStyle: child(master, 'txStyles', 'bodyStyle'),
    }
    read.set(path, layout)
    return layout
  }
}

/** The shapes that stand behind a placeholder, the nearest first, itself included. */
export const behind = (shape: XmlNode, { placeholders: [own = [], master = []] }: Layout): XmlNode[] => {
  const mark = placeholderOf(shape)
  if (!mark) return [shape]
  const inLayout = own.find(({ idx, type }) =>
    mark.idx === undefined ? kin(type) === kin(mark.type) : idx === mark.idx,
  )
  const inMaster = master.find(({ type }) => kin(type) === kin(inLayout?.type ?? mark.type))
  return [shape, ...(inLayout ? [inLayout.shape] : []), ...(inMaster ? [inMaster.shape] : [])]
}

export const takesBodyStyle = (shape: XmlNode): boolean => kin(placeholderOf(shape)?.type ?? 'none') === 'body'
