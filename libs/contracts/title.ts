import type { DocumentView } from './document'

const mark = ' · '

export const fileNameOf = ({ name, source }: Pick<DocumentView, 'name' | 'source'>): string | undefined =>
  name ?? (source?.kind === 'file' ? source.file : undefined)

/** Appends the file name to the title, because several documents may have the same title. */
export const titleBesideFile = (title: string, file: string): string =>
  title === file ? title : `${title}${mark}${file}`

export const ownTitle = ({ title, file }: { title: string; file?: string | undefined }): string => {
  const beside = `${mark}${file ?? ''}`
  return file !== undefined && title.endsWith(beside) ? title.slice(0, -beside.length) : title
}
