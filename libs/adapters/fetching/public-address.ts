import ipaddr from 'ipaddr.js'

/** What an IPv6 address of the public internet begins with; all else there is local, mapped, translated or not given out. */
const global = ipaddr.IPv6.parseCIDR('2000::/3')
const special = ['3fff::/20', '2001:db8::/32', '2001::/23', '2002::/16'].map((range) => ipaddr.IPv6.parseCIDR(range))

/** Public by its number, but inside every machine of a cloud. */
const inside = new Set(['168.63.129.16'])

const parsed = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(address) ? ipaddr.process(address) : undefined

/** An IPv4 address that stands in the last half of an IPv6 one is where some routers send it (ISATAP). */
const isTunnel = ({ parts }: ipaddr.IPv6): boolean => ((parts[4] ?? 0) & 0xfcff) === 0 && parts[5] === 0x5efe

/** Whether an address is one of the public internet. What cannot be read as an address is not. */
export const isPublic = (address: string): boolean => {
  const ip = parsed(address)
  if (ip === undefined || ip.range() !== 'unicast') return false
  if (ip instanceof ipaddr.IPv4) return !inside.has(ip.toString())
  return ip.match(global) && !special.some((range) => ip.match(range)) && !isTunnel(ip)
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** `10.20` is 10.0.0.20 to some and 10.20.0.0 to who writes it: an IPv4 address has four parts here. */
export const rangeOf = (text: string): Range | undefined => {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const ip = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.parse(text) : undefined
  return ip && [ip, ip.kind() === 'ipv4' ? 32 : 128]
}

export const isWithin = (address: string, [base, bits]: Range): boolean => {
  const ip = parsed(address)
  return ip !== undefined && ip.kind() === base.kind() && ip.match(base, bits)
}
