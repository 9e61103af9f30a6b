import type { Format } from '@plumbline/contracts'
import { calledFormat, formatOfName, readFormats } from '@plumbline/contracts/format-names'
import { Unfit } from '@plumbline/ports/document-parser'
import { contentOf, isHtml } from './file-signatures'

const office = 'application/vnd.openxmlformats-officedocument.'
const byMediaType: [RegExp, Format][] = [
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\/(?:x-)?asciidoc$/, 'asciidoc'],
  [/^(?:text\/(?:csv|tab-separated-values)|application\/csv)$/, 'csv'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [/^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)/, 'odf'],
  [/^(?:application|text)\/rtf$/, 'rtf'],
  [/^application\/epub\+zip$/, 'epub'],
  [/^message\/rfc822$/, 'email'],
  [/^application\/(?:x-)?(?:json|ndjson|jsonl|json-lines|geo\+json)$/, 'json'],
  [/^(?:text\/vtt|application\/x-subrip)$/, 'subtitles'],
  [/^application\/(?:x-)?(?:zip|zip-compressed|tar|gzip|gtar)$/, 'archive'],
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

const formatOfMediaType = (mediaType: string): Format | undefined => {
  const bare = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  return byMediaType.find(([type]) => type.test(bare))?.[1]
}

/** Returns true for formats of plain text. The file name distinguishes these formats, because the content cannot. */
const isTextFormat = (format: Format): boolean =>
  ['markdown', 'text', 'html', 'asciidoc', 'csv', 'code', 'email', 'json', 'subtitles'].includes(format)

/** `bytes` must be the whole file, because a zip has its directory at the end. */
export type FileToTell = { bytes: Uint8Array; name: string; mediaType?: string; format?: Format }

const namedAs = ({ name, format }: FileToTell): Format | undefined => format ?? formatOfName(name)

const mislabelled = (name: string, said: Format, is: string, advice: string): Unfit =>
  new Unfit('mislabelled', `${name} is named like ${calledFormat(said)}, but contains ${is}. ${advice}`)

export const detectFormat = (file: FileToTell): Format => {
  const { bytes, name } = file
  if (bytes.length === 0 || bytes.every((byte) => byte === 0))
    throw new Unfit('no-text', `${name} is empty. Check that the file was copied completely, and upload it again.`)
  const named = namedAs(file)
  const said = named ?? (file.mediaType === undefined ? undefined : formatOfMediaType(file.mediaType))
  const content = contentOf(bytes, name)
  switch (content.kind) {
    case 'other':
      if (said !== undefined) throw mislabelled(name, said, content.called, content.advice)
      throw new Unfit('unsupported', `${name} is ${content.called}, which is not supported. ${content.advice}`)
    case 'unknown':
      if (said !== undefined && isTextFormat(said))
        throw mislabelled(name, said, 'binary data', 'Export the document again as text.')
      if (said !== undefined)
        throw mislabelled(
          name,
          said,
          'something else, or only a part of such a file',
          'Copy or download the file again.',
        )
      throw new Unfit('unsupported', `${name} has an unsupported format. Supported: ${readFormats}.`)
    case 'format':
      // Ignore the media type, because the content is more reliable.
      if (named === undefined || named === content.format) return content.format
      throw mislabelled(
        name,
        named,
        calledFormat(content.format),
        'Correct the file name extension and upload the file again.',
      )
    case 'text':
      return textFormat(file, said)
  }
}

const textFormat = ({ bytes, name }: FileToTell, said: Format | undefined): Format => {
  if (said === undefined) return isHtml(bytes) ? 'html' : 'text'
  if (isTextFormat(said)) return said
  throw mislabelled(
    name,
    said,
    isHtml(bytes) ? 'a web page' : 'plain text',
    'The content may be the error page of a failed download. Download the file again.',
  )
}
