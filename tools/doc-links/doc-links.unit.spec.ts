import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const skipped = /^(?:node_modules|dist|coverage|peers|runtime|\..+)$/

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : [path]
  })
const files = filesIn('.')
/** The documents of the evaluation are input, not pages of this repository. */
const pages = files.filter((file) => file.endsWith('.md') && !/^lab\/eval\/.+\//.test(file))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '')
const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (page: string): Set<string> => {
  const text = read(page).replaceAll(/^(`{3,})[^]*?^\1$/gm, '')
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading))
  return new Set(
    slugs.map((slug, at) => {
      const before = slugs.slice(0, at).filter((other) => other === slug).length
      return before === 0 ? slug : `${slug}-${before}`
    }),
  )
}

/** Returns why a link leads nowhere, or nothing if it resolves. */
const faultOf = (from: string, link: string): string[] => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : relative(root, join(root, dirname(from), path))
  if (!existsSync(join(root, target))) return [`${from}: ${link} does not exist`]
  if (anchor === undefined || !target.endsWith('.md')) return []
  return anchorsOf(target).has(anchor) ? [] : [`${from}: ${link} has no such heading`]
}

/** Returns whether a link is in a decision record, which keeps its text even if a page that it names has moved. */
const isKept = (page: string, link: string): boolean => page.startsWith('docs/adr/') && link.startsWith('../')

const linksOf = (page: string): string[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link) && !isKept(page, link))

describe('the pages', () => {
  it('have links that lead to a file, and to a heading in it', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.flatMap((page) => linksOf(page).flatMap((link) => faultOf(page, link)))).toEqual([])
  })

  it('exist if code, settings or manifests name them', () => {
    const named = files
      .filter((file) => /\.(?:tsx?|mjs|json|ya?ml|tpl|sh)$/.test(file) && !file.endsWith('package-lock.json'))
      .flatMap((file) =>
        [...read(file).matchAll(/(?<![\w/.-])docs\/([\w/-]+\.md(?:#[\w-]+)?)/g)].map(([, link = '']) => [file, link]),
      )
      .filter(([file = '']) => !/\.spec\.ts$|\/spec\//.test(file))
    expect(named.length).toBeGreaterThan(20)
    expect(
      named.flatMap(([file, link = '']) => faultOf(join('docs', 'any'), link).map(() => `${file}: docs/${link}`)),
    ).toEqual([])
  })

  it('are all listed in the index, each on one line', () => {
    const listed = linksOf(join('docs', 'README.md')).map((link) => join('docs', link))
    const own = pages.filter((page) => /^docs\/\w+\//.test(page) && !page.startsWith('docs/adr/'))
    expect(listed.filter((page) => own.includes(page)).toSorted()).toEqual(own.toSorted())
  })
})
