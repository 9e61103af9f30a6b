/**
 * A pattern in `declarations` matches a declaration. Its first group is the kind, such as `class`, and its last group
 * is the name. `leading` matches the comments and annotations above a declaration.
 */
type Language = { name: string; declarations: RegExp[]; leading: RegExp }

const hash = /^\s*(?:#|@)/
const slashes = /^\s*(?:\/\/|\/?\*|@|\[|#\[)/
const dashes = /^\s*--/

const ecma = [
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?(function)\s*\*?\s*([\w$]+)/,
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(class|interface|enum|namespace|module)\s+([\w$]+)/,
  /^(?:export\s+)?(type)\s+([\w$]+)\b.*=/,
  /^(?:export\s+)?(?:const|let|var)\s+()([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|(?:<[^>]*>\s*)?\([^)]*(?:\)|$)|[\w$]+\s*=>)/,
]
const jvm =
  /^(?:(?:public|protected|private|internal|abstract|final|static|sealed|open|data|partial|readonly|unsafe|case|implicit|inline|override|suspend|annotation|value|strictfp|non-sealed)\s+)*(class|interface|enum|record|struct|object|trait|fun|def|namespace|delegate)\s+(?:class\s+)?([\w.$`]+)/
const c = [
  /^(?:typedef\s+)?(struct|union|enum|class|namespace)\s+(?:class\s+)?([\w:]+)(?=[^;()]*(?:\{|$))/,
  /^(?:template\b.*>\s*)?(?!(?:return|else|if|for|while|switch|case|goto|typedef|using|extern\s+"C"|#))[A-Za-z_][\w\s*&:<>,~]*?()[\s*&]((?:\w+::)*~?\w+)\s*\((?!.*;\s*$)/,
]

const languages: readonly (Language & { endings: string })[] = [
  { name: 'python', endings: 'py pyi pyw', leading: hash, declarations: [/^(?:async\s+)?(def|class)\s+(\w+)/] },
  { name: 'typescript', endings: 'ts mts cts tsx', leading: slashes, declarations: ecma },
  { name: 'javascript', endings: 'js mjs cjs jsx', leading: slashes, declarations: ecma },
  { name: 'java', endings: 'java', leading: slashes, declarations: [jvm] },
  { name: 'kotlin', endings: 'kt kts', leading: slashes, declarations: [jvm] },
  { name: 'scala', endings: 'scala sc', leading: slashes, declarations: [jvm] },
  { name: 'csharp', endings: 'cs', leading: slashes, declarations: [jvm] },
  {
    name: 'go',
    endings: 'go',
    leading: slashes,
    declarations: [/^(func)\s+(?:\([^)]*\)\s*)?(\w+)/, /^(type)\s+(\w+)/],
  },
  {
    name: 'rust',
    endings: 'rs',
    leading: slashes,
    declarations: [
      /^(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?(fn|struct|enum|trait|union|mod|type|macro_rules!)\s+(\w+)/,
      /^(?:unsafe\s+)?(impl)\b\s*(?:<[^{]*?>\s*)?([^{]+?)\s*(?:\{|where|$)/,
    ],
  },
  { name: 'c', endings: 'c h', leading: slashes, declarations: c },
  { name: 'cpp', endings: 'cc cpp cxx hh hpp hxx', leading: slashes, declarations: c },
  { name: 'ruby', endings: 'rb rake', leading: hash, declarations: [/^(class|module|def)\s+([\w:.?!]+)/] },
  {
    name: 'php',
    endings: 'php',
    leading: /^\s*(?:\/\/|\/?\*|#)/,
    declarations: [/^(?:(?:abstract|final|readonly)\s+)*(function|class|interface|trait|enum)\s+&?(\w+)/],
  },
  {
    name: 'swift',
    endings: 'swift',
    leading: slashes,
    declarations: [
      /^(?:(?:public|private|internal|open|final|fileprivate|indirect)\s+)*(func|class|struct|enum|protocol|extension|actor)\s+([\w.]+)/,
    ],
  },
  {
    name: 'sql',
    endings: 'sql',
    leading: dashes,
    declarations: [
      /^create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)*(table|view|function|procedure|trigger|index|type|schema)\s+(?:if\s+not\s+exists\s+)?([\w."`]+)/i,
    ],
  },
  {
    name: 'bash',
    endings: 'sh bash zsh ksh',
    leading: /^\s*#(?!!)/,
    declarations: [/^(function)\s+([\w:-]+)/, /^()([\w:-]+)\s*\(\)/],
  },
  { name: 'lua', endings: 'lua', leading: dashes, declarations: [/^(?:local\s+)?(function)\s+([\w.:]+)/] },
  { name: 'r', endings: 'r', leading: hash, declarations: [/^()([\w.]+)\s*(?:<-|=)\s*function\b/] },
  { name: 'elixir', endings: 'ex exs', leading: hash, declarations: [/^(defmodule|defprotocol|defimpl)\s+([\w.]+)/] },
  {
    name: 'haskell',
    endings: 'hs',
    leading: dashes,
    declarations: [/^(data|newtype|class|instance|type)\s+([A-Z][\w.']*)/, /^()([a-z_][\w']*)\s*::/],
  },
  {
    name: 'terraform',
    endings: 'tf',
    leading: hash,
    declarations: [/^(resource|data|module|variable|output|provider)\s+"([^"]+)"(?:\s+"([^"]+)")?/],
  },
  { name: 'protobuf', endings: 'proto', leading: slashes, declarations: [/^(message|service|enum)\s+(\w+)/] },
  {
    name: 'graphql',
    endings: 'graphql gql',
    leading: hash,
    declarations: [/^(type|interface|enum|input|union|scalar|query|mutation|fragment)\s+(\w+)/],
  },
]

/** Code in these languages is not split at declarations. Only the names of the languages are used, for code blocks. */
const plain = new Map(
  `perl: pl pm; json: json jsonc; yaml: yaml yml; toml: toml; ini: ini cfg; xml: xml; css: css; scss: scss;
  less: less; vue: vue; svelte: svelte; dart: dart; powershell: ps1; bat: bat; clojure: clj; erlang: erl;
  ocaml: ml; fsharp: fs; julia: jl; matlab: m; makefile: mk; zig: zig; nim: nim; vb: vb; asm: asm s; latex: tex;
  groovy: groovy gradle; diff: diff patch`
    .split(/;\s+/)
    .map((line) => line.split(': '))
    .flatMap(([name = '', endings = '']) => endings.split(' ').map((ending) => [ending, name] as const)),
)

const byEnding = new Map(
  languages.flatMap((language) => language.endings.split(' ').map((ending) => [ending, language] as const)),
)
const byName: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  rakefile: 'ruby',
  gemfile: 'ruby',
  jenkinsfile: 'groovy',
}

export const languageOf = (file: string): Language => {
  const base = (file.split(/[\\/]/).at(-1) ?? '').toLowerCase()
  const ending = base.includes('.') ? base.slice(base.lastIndexOf('.') + 1) : ''
  return byEnding.get(ending) ?? { name: byName[base] ?? plain.get(ending) ?? '', declarations: [], leading: slashes }
}
