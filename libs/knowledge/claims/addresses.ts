import type { Passage } from '@plumbline/contracts'
import { asShown } from './citations'

/** URL schemes that can be followed by an address without `//`. */
const bare = 'mailto|tel|sms|javascript|vbscript|data|blob|file|about|magnet|intent|market|skype|whatsapp|facetime'
const written = new RegExp(
  [
    // The first three patterns match the targets of links and images in Markdown or HTML.
    String.raw`\]\(\s*<?(?<link>[^\s<>)]+)`,
    String.raw`(?:^|\n)[ \t]{0,3}(?:\[[^\]^][^\]]*\])?:\s*<?(?<note>[^\s<>]+)`,
    String.raw`(?:href|src|action|srcset|data|poster|formaction)(?<=<[^<>]*[\s"'/]\w+)\s*=\s*["']?(?<tag>[^\s"'<>]+)`,
    String.raw`(?<url>(?<![\p{L}\p{N}+.-])(?:[a-z][a-z\d+.-]*:\/\/|(?:${bare}):(?=[^\s<>"'\x60|]*[\p{L}\p{N}]))[^\s<>"'\x60|]+)`,
    String.raw`(?<mail>(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]*@[\p{L}\p{N}_][\p{L}\p{N}._/-]*)`,
    String.raw`(?<host>(?<![\p{L}\p{N}._-])(?:[\p{L}\p{N}_-]+\.)+(?:\p{L}{2,}|xn--[a-z\d-]+)(?![\p{L}\p{N}_])(?:[/:?#\\][^\s<>"'\x60|]*)?)`,
    String.raw`(?<ip>(?<![\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{N}.]\d)(?:[/:][^\s<>"'\x60|]*)?)`,
    String.raw`(?<path>(?<![^\s"'(\x60=:])(?:~|\.{1,2}|[a-z]:)?(?:\/|\\{1,2})[\p{L}\p{N}._~-][^\s<>"'\x60|]*)`,
  ].join('|'),
  'giu',
)

const plain = (text: string): string =>
  asShown(text)
    .replace(/\\(?=[._*-])/g, '')
    .replace(/[[(]\.[\])]/g, '.')

/**
 * Returns the form in which addresses are compared: without `https`, `www`, `mailto` and final slashes, with a
 * lower-case host.
 */
const form = (address: string): string => {
  const bareOne = address.replace(/^(?:https?:)?\/\/(?:www\.)?|^www\.|^mailto:/i, '')
  const host = /^[^/?#\\]*/.exec(bareOne)?.[0] ?? ''
  return (host.toLowerCase() + bareOne.slice(host.length)).replace(/\/+$/, '')
}

const addressesIn = (text: string): string[] =>
  Array.from(plain(text).matchAll(written), ({ groups }) => Object.values(groups ?? {}).find(Boolean) ?? '').map(
    (address) => address.replace(/[.,;:!?)\]*_'"”’]+$/, ''),
  )

const read = new WeakMap<Passage, Set<string>>()
const addressesOf = (passage: Passage): Set<string> => {
  const known = read.get(passage)
  if (known) return known
  const { title, headingPath, text, file = '', url = '' } = passage
  const told = [title, ...headingPath, text, file, url].join('\n')
  // Search the text again with the lines joined before `.name`, because code may break a chain of calls there.
  const found = new Set([told, told.replace(/\s*\n\s*(?=\.\p{L})/gu, '')].flatMap(addressesIn).map(form))
  read.set(passage, found)
  return found
}

export const strayAddresses = (text: string, passages: Passage[]): string[] => {
  const known = passages.map(addressesOf)
  const isStray = (address: string): boolean =>
    form(address) !== '' && !known.some((addresses) => addresses.has(form(address)))
  return [...new Set(addressesIn(text).filter(isStray))]
}
