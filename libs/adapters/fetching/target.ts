import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { AppError, list } from '@plumbline/platform'
import { setting } from '@plumbline/platform/setting'
import { Unfit } from '@plumbline/ports/document-parser'

/** All public IPv6 addresses are in this range. Only the addresses in the ranges `special` are not public. */
const global = ipaddr.IPv6.parseCIDR('2000::/3')
const special = ['3fff::/20', '2001:db8::/32', '2001::/23', '2002::/16'].map((range) => ipaddr.IPv6.parseCIDR(range))

/** Internal services of Azure use this address, although it is in a public range. */
const inside = new Set(['168.63.129.16'])

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(address) ? ipaddr.process(address) : undefined

/**
 * Returns true for an ISATAP address, whose packets routers can forward to the IPv4 address in its last 32 bits. That
 * address may be private.
 */
const isTunnel = ({ parts }: ipaddr.IPv6): boolean => ((parts[4] ?? 0) & 0xfcff) === 0 && parts[5] === 0x5efe

export const isPublic = (address: string): boolean => {
  const ip = parsed(address)
  if (ip === undefined || ip.range() !== 'unicast') return false
  if (ip instanceof ipaddr.IPv4) return !inside.has(ip.toString())
  return ip.match(global) && !special.some((range) => ip.match(range)) && !isTunnel(ip)
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** Accepts an IPv4 address only with all four parts, because `10.20` could mean 10.0.0.20 or 10.20.0.0. */
const rangeOf = (text: string): Range | undefined => {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const ip = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.parse(text) : undefined
  return ip && [ip, ip.kind() === 'ipv4' ? 32 : 128]
}

const isWithin = (address: string, [base, bits]: Range): boolean => {
  const ip = parsed(address)
  return ip !== undefined && ip.kind() === base.kind() && ip.match(base, bits)
}

export type Allowed = { host(name: string, port: number): boolean; address(address: string): boolean }

const hostAndPort = /^(?:[\w.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/

/** Normalizes the host in `host:port` as `URL` does, so that two spellings of the same host are equal. */
const hostOf = (item: string): string | undefined => {
  const [address, port] = [`http://${item}`, hostAndPort.exec(item)?.[1]]
  return port !== undefined && URL.canParse(address)
    ? `${new URL(address).hostname.replace(/\.+$/, '')}:${Number(port)}`
    : undefined
}

/**
 * Each item is a host with a port or a range of addresses. For example, `wiki.corp:8443` allows one host at one port,
 * and `10.20.0.0/16` allows every host whose address is in this range.
 */
export const allowedTargets = (items: string[]): Allowed => {
  const hosts = new Set(items.map(hostOf))
  const ranges = items.map(rangeOf).filter((range) => range !== undefined)
  return {
    host: (name, port) => hosts.has(`${name}:${port}`),
    address: (address) => ranges.some((range) => isWithin(address, range)),
  }
}

const Targets = z.string().transform((text, ctx) => {
  const items = list(text.toLowerCase())
  const wrong = items.filter((item) => hostOf(item) === undefined && rangeOf(item) === undefined)
  if (wrong.length === 0) return allowedTargets(items)
  ctx.addIssue({
    code: 'custom',
    message: `write it as wiki.corp:8443,10.20.0.0/16: hosts with a port, or address ranges; ${wrong.join(', ')} is neither`,
  })
  return z.NEVER
})
export const AllowedAddresses = setting(Targets.prefault(''), {
  about:
    'addresses inside your network that Plumbline may contact: to fetch documents and sources, to read lookups, and to send webhooks; gateway, ingestor and researcher read it',
  example: '10.0.0.0/8',
})

export type Address = { address: string; family: number }
export type Resolve = (host: string) => Promise<Address[]>
export type Guard = { allowed?: Allowed; resolve?: Resolve }
export type Target = { url: URL; addresses: Address[] }

const byDns: Resolve = (host) => lookup(host, { all: true, verbatim: true })

const local = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)$/

/** Ports of services that are not web servers. A request to such a service could cause harm. */
const otherServices = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017,
])
const isWebPort = (port: number): boolean => port === 80 || port === 443 || (port >= 1_024 && !otherServices.has(port))

export const refusedAddress = (host: string, why: string): Unfit =>
  new Unfit(
    'refused-address',
    `The address ${host} is not allowed: ${why}. Upload the document as a file, or ask the operator to allow the address in ALLOW_PRIVATE_ADDRESSES.`,
  )

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

const urlOf = (text: string | URL): URL => {
  if (!URL.canParse(text))
    throw new Unfit('refused-address', 'This is not a web address. Write the address as https://host/path.')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol))
    throw new Unfit(
      'refused-address',
      `Addresses with ${url.protocol} are not supported. Use an address such as https://host/path.`,
    )
  if (url.username || url.password)
    throw new Unfit(
      'refused-address',
      'This address contains a user name or password, which this system never sends. Upload the document as a file.',
    )
  return url
}

const resolved = async (host: string, resolve: Resolve): Promise<Address[]> => {
  try {
    return await resolve(host)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code !== 'ENOTFOUND' && code !== 'ENODATA') throw new AppError('fetch.unreachable', 'later', { cause })
    throw new Unfit('unreachable', `There is no host named ${host}. Check the address.`, { cause })
  }
}

/** Returns the addresses of the host. Throws unless the port and all these addresses are allowed. */
export const targetOf = async (text: string | URL, { allowed, resolve = byDns }: Guard): Promise<Target> => {
  const url = urlOf(text)
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
    .toLowerCase()
  const port = portOf(url)
  const trusted = allowed?.host(isIP(host) === 6 ? `[${host}]` : host, port) ?? false
  const literal = isIP(host)
  if (!trusted && literal === 0 && (local.test(host) || !host.includes('.')))
    throw refusedAddress(host, 'its name belongs to a private network')
  const addresses = literal === 0 ? await resolved(host, resolve) : [{ address: host, family: literal }]
  const fit =
    addresses.length > 0 &&
    addresses.every(({ address }) => isIP(address) !== 0 && (trusted || isPublic(address) || allowed?.address(address)))
  if (!fit) throw refusedAddress(host, 'it leads into a private network')
  const isAllowed = trusted || addresses.every(({ address }) => allowed?.address(address))
  if (!isAllowed && !isWebPort(port))
    throw refusedAddress(`${host}:${port}`, 'its port does not belong to a web server')
  return { url, addresses: addresses.map(({ address }) => ({ address, family: isIP(address) })) }
}
