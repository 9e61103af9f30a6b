import { z } from 'zod'
import { isWithin, rangeOf } from './public-address'

/** What an operator lets this system reach beside the public internet. */
export type Allowed = { host(name: string, port: number): boolean; address(address: string): boolean }

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
const hostAndPort = /^(?:[\w.-]+|\[[0-9a-f:.]+\]):(\d{1,5})$/

/** As the host of an address is read, so that both are written alike. */
const hostOf = (item: string): string | undefined => {
  const [address, port] = [`http://${item}`, hostAndPort.exec(item)?.[1]]
  return port !== undefined && URL.canParse(address)
    ? `${new URL(address).hostname.replace(/\.+$/, '')}:${Number(port)}`
    : undefined
}

/** `wiki.corp:8443` is one host at one port, wherever its name leads; `10.20.0.0/16` is every host that has an address there. */
export const allowing = (items: string[]): Allowed => {
  const hosts = new Set(items.map(hostOf))
  const ranges = items.map(rangeOf).filter((range) => range !== undefined)
  return {
    host: (name, port) => hosts.has(`${name}:${port}`),
    address: (address) => ranges.some((range) => isWithin(address, range)),
  }
}

/** ALLOW_PRIVATE_ADDRESSES */
export const AllowedAddresses = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const items = listed(text)
    const wrong = items.filter((item) => hostOf(item) === undefined && rangeOf(item) === undefined)
    if (wrong.length === 0) return allowing(items)
    ctx.addIssue({
      code: 'custom',
      message: `write it as wiki.corp:8443,10.20.0.0/16: hosts with a port, or ranges of addresses; ${wrong.join(', ')} is neither`,
    })
    return z.NEVER
  })
