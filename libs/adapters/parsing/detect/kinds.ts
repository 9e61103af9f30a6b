import type { Format } from '@plumbline/contracts'

const office = 'application/vnd.openxmlformats-officedocument.'
const byMediaType: [RegExp, Format][] = [
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\/(?:x-)?asciidoc$/, 'asciidoc'],
  [/^(?:text\/(?:csv|tab-separated-values)|application\/csv)$/, 'csv'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [new RegExp(`^(?:${office}wordprocessingml|application/vnd\\.ms-word\\.document)\\.`), 'docx'],
  [new RegExp(`^(?:${office}presentationml|application/vnd\\.ms-powerpoint\\.(?:presentation|slideshow))\\.`), 'pptx'],
  [new RegExp(`^(?:${office}spreadsheetml|application/vnd\\.ms-excel\\.sheet)\\.`), 'xlsx'],
  [
    /^(?:text\/x-[\w+-]+|(?:application|text|image)\/(?:.*\+)?(?:x-)?(?:json|xml|yaml|javascript|typescript|css|toml|sql|sh|python|ruby|perl|httpd-php))$/,
    'code',
  ],
  [/^image\//, 'image'],
  [/^text\/plain$/, 'text'],
]

export const formatOfMediaType = (mediaType: string): Format | undefined => {
  const bare = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  return byMediaType.find(([type]) => type.test(bare))?.[1]
}

const called: Record<Format, string> = {
  markdown: 'Markdown',
  text: 'text',
  html: 'a web page',
  asciidoc: 'AsciiDoc',
  csv: 'a CSV table',
  pdf: 'a PDF',
  docx: 'a Word document',
  pptx: 'a PowerPoint presentation',
  xlsx: 'an Excel workbook',
  code: 'source code',
  image: 'an image',
}
export const calledFormat = (format: Format): string => called[format]

/** Formats that are text, where the extension alone tells them apart. */
export const isTextFormat = (format: Format): boolean =>
  ['markdown', 'text', 'html', 'asciidoc', 'csv', 'code'].includes(format)
