import { describe, expect, it } from 'vitest'
import { AllowedAddresses, isPublic } from './target'

describe('isPublic', () => {
  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
  ])('lets %s through', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    '::808:808',
    '3fff::1',
    '5f00::1',
    '168.63.129.16',
    '',
    'localhost',
  ])('holds %s back', (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('ALLOW_PRIVATE_ADDRESSES', () => {
  it('allows nothing by default', () => {
    const allowed = AllowedAddresses.parse(undefined)
    expect([allowed.host('127.0.0.1', 80), allowed.address('127.0.0.1')]).toEqual([false, false])
  })

  it('allows a host at one port, and every address of a range', () => {
    const allowed = AllowedAddresses.parse('Wiki.corp:8443, 10.20.0.0/16,[::1]:80, 192.168.1.7')
    expect([allowed.host('wiki.corp', 8443), allowed.host('wiki.corp', 443), allowed.host('[::1]', 80)]).toEqual([
      true,
      false,
      true,
    ])
    expect(['10.20.255.1', '::ffff:10.20.0.1', '192.168.1.7'].map(allowed.address)).toEqual([true, true, true])
    expect(['10.21.0.1', '192.168.1.8', '::1'].map(allowed.address)).toEqual([false, false, false])
  })

  it.each([
    ['Wiki.corp.:8443', 'wiki.corp', 8443],
    ['[FD00:0::1]:80', '[fd00::1]', 80],
    ['127.1:080', '127.0.0.1', 80],
  ])('takes %s for %s at %i, as an address is read', (item, host, port) => {
    expect(AllowedAddresses.parse(item).host(host, port)).toBe(true)
  })

  it.each([
    'wiki.corp',
    '10.20',
    '10.20/16',
    '8080',
    '010.0.0.0/8',
    '10.0.0.0/33',
    'wiki.corp:99999',
    'http://wiki.corp:80',
  ])('says that %s is wrong', (item) => {
    expect(AllowedAddresses.safeParse(`10.0.0.0/8,${item}`).error?.issues[0]?.message).toMatch(
      new RegExp(`; ${item.replaceAll('.', '\\.')} is neither$`),
    )
  })
})
