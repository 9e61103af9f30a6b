import type { Format } from './document'

const endings: Record<Format, string> = {
  markdown: 'md markdown mdx',
  text: 'txt text log rst',
  html: 'html htm xhtml',
  asciidoc: 'adoc asciidoc asc',
  csv: 'csv tsv',
  pdf: 'pdf',
  docx: 'docx docm',
  pptx: 'pptx pptm',
  xlsx: 'xlsx xlsm',
  code: 'ts tsx js jsx mjs cjs py java kt go rs c h cc cpp hpp cs rb php swift scala sh bash sql lua r pl css scss vue json yaml yml toml xml ini proto tf gradle dart ex exs erl hs clj jl m ps1',
  image: 'png jpg jpeg tif tiff webp bmp gif',
}
const byEnding = new Map(Object.entries(endings).flatMap(([format, words]) => words.split(' ').map((ending): [string, Format] => [ending, format as Format])))

/** What a file is by its name; undefined for one that is not read here. */
export const formatOfName = (name: string): Format | undefined => byEnding.get(/\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
