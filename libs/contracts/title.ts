import type { DocumentView } from './document'

const mark = ' · '

/** Returns the name of the file that a document was read from. */
export const fileNameOf = ({ name, source }: Pick<DocumentView, 'name' | 'source'>): string | undefined =>
  name ?? (source?.kind === 'file' ? source.file : undefined)

/** Returns a title with the name of its file beside it. A title that several documents share does not tell them apart. */
export const titleBesideFile = (title: string, file: string): string =>
  title === file ? title : `${title}${mark}${file}`

/** Returns the title of a passage without the name of its file beside it. */
export const ownTitle = ({ title, file }: { title: string; file?: string | undefined }): string => {
  const beside = `${mark}${file ?? ''}`
  return file !== undefined && title.endsWith(beside) ? title.slice(0, -beside.length) : title
}
