import type { Format } from './document'

const list = (text: string): string[] => text.trim().split(/\s+/)

const code = list(`
  adb ads applescript asm astro awk bash bat bazel bicep c cc cfg cjs clj cljs cmake cmd cob coffee conf cpp cr cs csh css cts cu cue cxx d dart
  dockerfile edn el elm env erl ex exs f f90 fish fs fsx gd glsl go gql gradle graphql groovy h hcl hh hlsl hpp hrl hs ini ipynb java jl js json5
  jsonc jsx kt kts less lisp lua m make mjs mk ml mli mm mts nim nix pas php pl plist pm proto ps1 psm1 py pyi pyx r rb rego rkt rs sass sbt
  scala scm scss sh sol sql stylus svelte swift tcl tf tfvars thrift toml ts tsx v vb vbs vhd vhdl vim vue wat wgsl xml xsd xsl xslt yaml yml zig zsh`)

const formats: Record<Format, { called: string; listed: string; endings: string[] }> = {
  pdf: { called: 'a PDF', listed: 'PDF', endings: ['pdf'] },
  docx: { called: 'a Word document', listed: 'Word (.docx)', endings: list('docx docm dotx dotm') },
  pptx: {
    called: 'a PowerPoint presentation',
    listed: 'PowerPoint (.pptx)',
    endings: list('pptx pptm ppsx ppsm potx potm'),
  },
  xlsx: { called: 'an Excel workbook', listed: 'Excel (.xlsx)', endings: list('xlsx xlsm xltx xltm') },
  odf: {
    called: 'an OpenDocument file',
    listed: 'OpenDocument (.odt, .ods, .odp)',
    endings: list('odt ods odp ott ots otp'),
  },
  rtf: { called: 'a rich text document', listed: 'RTF', endings: ['rtf'] },
  epub: { called: 'an e-book (EPUB)', listed: 'EPUB', endings: ['epub'] },
  email: { called: 'a mail', listed: 'mail (.eml)', endings: ['eml'] },
  csv: { called: 'a CSV table', listed: 'CSV', endings: list('csv tsv tab psv') },
  json: { called: 'JSON', listed: 'JSON and JSON lines', endings: list('json jsonl ndjson geojson') },
  html: { called: 'a web page', listed: 'HTML', endings: list('html htm xhtml shtml') },
  markdown: { called: 'Markdown', listed: 'Markdown', endings: list('md markdown mdown mkd mdx qmd rmd') },
  asciidoc: { called: 'AsciiDoc', listed: 'AsciiDoc', endings: list('adoc asciidoc asc') },
  subtitles: { called: 'subtitles', listed: 'subtitles (.srt, .vtt)', endings: list('srt vtt') },
  text: { called: 'text', listed: 'text', endings: list('txt text log rst tex nfo') },
  code: { called: 'source code', listed: 'source code', endings: code },
  archive: { called: 'an archive', listed: 'archives of these (.zip, .tar, .tar.gz)', endings: list('zip tar tgz gz') },
  image: { called: 'an image', listed: 'images', endings: list('png jpg jpeg jfif tif tiff webp gif bmp') },
}

/** Documents that are larger are parsed in a separate process. */
export const shortTextBytes = 65_536

export const isShortText = (format: Format | undefined, bytes: number): boolean =>
  bytes <= shortTextBytes && (format === 'markdown' || format === 'text')

export const calledFormat = (format: Format): string => formats[format].called

const names = Object.values(formats).map(({ listed }) => listed)

export const readFormats = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const byExtension: ReadonlyMap<string, Format> = new Map(
  (Object.keys(formats) as Format[]).flatMap((format) =>
    formats[format].endings.map((extension): [string, Format] => [extension, format]),
  ),
)

const byWholeName: ReadonlyMap<string, Format> = new Map([
  ...list(
    'dockerfile makefile rakefile gemfile jenkinsfile procfile vagrantfile cmakelists.txt .gitignore .dockerignore .editorconfig .env',
  ).map((name): [string, Format] => [name, 'code']),
  ...list('readme license licence changelog notice authors contributing copying').map((name): [string, Format] => [
    name,
    'text',
  ]),
])

export const formatOfName = (name: string): Format | undefined => {
  const last = name.split(/[/\\]/).at(-1)?.toLowerCase() ?? ''
  return byWholeName.get(last) ?? (last.includes('.') ? byExtension.get(last.split('.').at(-1) ?? '') : undefined)
}
