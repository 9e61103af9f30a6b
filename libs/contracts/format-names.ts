import type { Format } from './document'

const list = (text: string): string[] => text.trim().split(/\s+/)

const code = list(`
  adb ads applescript asm astro awk bash bat bazel bicep c cc cfg cjs clj cljs cmake cmd cob coffee conf cpp cr cs csh css cts cu cue cxx d dart
  dockerfile edn el elm env erl ex exs f f90 fish fs fsx gd glsl go gql gradle graphql groovy h hcl hh hlsl hpp hrl hs ini ipynb java jl js json json5
  jsonc jsonl jsx kt kts less lisp lua m make mjs mk ml mli mm mts nim nix pas php pl plist pm proto ps1 psm1 py pyi pyx r rb rego rkt rs sass sbt
  scala scm scss sh sol sql stylus svelte swift tcl tf tfvars thrift toml ts tsx v vb vbs vhd vhdl vim vue wat wgsl xml xsd xsl xslt yaml yml zig zsh`)

const byFormat: Record<Format, string[]> = {
  markdown: list('md markdown mdown mkd mdx qmd rmd'),
  text: list('txt text log rst tex srt vtt eml nfo'),
  html: list('html htm xhtml shtml'),
  asciidoc: list('adoc asciidoc asc'),
  csv: list('csv tsv tab psv'),
  pdf: ['pdf'],
  docx: list('docx docm dotx dotm'),
  pptx: list('pptx pptm ppsx ppsm potx potm'),
  xlsx: list('xlsx xlsm xltx xltm'),
  code,
  image: list('png jpg jpeg jfif tif tiff webp gif bmp'),
}

const byExtension: ReadonlyMap<string, Format> = new Map(
  (Object.entries(byFormat) as [Format, string[]][]).flatMap(([format, extensions]) =>
    extensions.map((extension): [string, Format] => [extension, format]),
  ),
)

/** Files that are known by their whole name. */
const byWholeName: ReadonlyMap<string, Format> = new Map([
  ...list(
    'dockerfile makefile rakefile gemfile jenkinsfile procfile vagrantfile cmakelists.txt .gitignore .dockerignore .editorconfig .env',
  ).map((name): [string, Format] => [name, 'code']),
  ...list('readme license licence changelog notice authors contributing copying').map((name): [string, Format] => [
    name,
    'text',
  ]),
])

/** What a file is by its name; undefined for one that is not read here. */
export const formatOfName = (name: string): Format | undefined => {
  const last = name.split(/[/\\]/).at(-1)?.toLowerCase() ?? ''
  return byWholeName.get(last) ?? (last.includes('.') ? byExtension.get(last.split('.').at(-1) ?? '') : undefined)
}
