import type { ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks } from '@plumbline/knowledge/chunking/blocks'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { plainText } from '../text/read-text'

/** The converter must not read or fetch other files. A table of contents is off, as it would repeat the headings. */
const settings = {
  safe: 'secure',
  standalone: false,
  attributes: {
    showtitle: '',
    'toc!': '',
    'sectanchors!': '',
    'allow-uri-read!': '',
    'max-include-depth': '0',
    'max-attribute-value-size': '4096',
  },
}

/** Marks tables that only lay out a note or a definition, so that they are not read as data. */
const withoutLayout = (html: string): string =>
  html
    .replace(
      /(<div class="(?:admonitionblock|hdlist|colist)[^"]*"[^>]*>\s*(?:<div class="title">.*?<\/div>\s*)?)<table>/g,
      '$1<table role="presentation">',
    )
    .replace(
      /<td class="icon">\s*<div class="title">([^<]*)<\/div>\s*<\/td>\s*<td class="content">/g,
      '<td><b>$1:</b> ',
    )
    .replace(/<td class="hdlist1[^"]*">([^<]*)<\/td>/g, '<td><b>$1</b></td>')
    .replace(/<caption class="title">Table \d+\. (?=Table \d)/g, '<caption>')
    .replace(/<b class="conum">\((\d+)\)<\/b>/g, '($1)')

/** Matches an include directive. It is removed, because other files are not available. */
const include = /^include::[^\n[]*\[[^\n]*\][ \t]*$/gm

export const readAsciidoc = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const source = plainText(bytes, name)
  const [{ convert, LoggerManager, NullLogger }, { htmlToMarkdown }] = await Promise.all([
    import('@asciidoctor/core'),
    import('../html/html-to-markdown'),
  ])
  LoggerManager.setLogger(new NullLogger())
  const html = await convert(source.replace(include, ''), settings)
  const text = htmlToMarkdown(withoutLayout(String(html)))
  if (text.trim() === '')
    throw new Unfit('no-text', `${name} contains only settings and comments. Upload a file that also contains text.`)
  const [first] = markdownBlocks(text)
  const title = first?.kind === 'heading' && first.level === 1 ? first.text : undefined
  const omitted = source.match(include)?.length ?? 0
  return {
    ...(title === undefined ? {} : { title }),
    markup: 'markdown',
    parts: [{ text }],
    ...(omitted === 0
      ? {}
      : {
          notes: [
            `The document includes ${omitted} other ${omitted === 1 ? 'file, which was not read. Upload that file' : 'files, which were not read. Upload those files'} too.`,
          ],
        }),
  }
}
