import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkPack } from './check-pack'

const never = new AbortController().signal
const limits = { objects: 100, bytes: 1_000_000, depth: 10 }

/** Encodes a number with seven bits per byte, lowest bits first. */
const number = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 0x80, ...number(Math.floor(value / 128))]
const header = (kind: number, size: number): Buffer =>
  Buffer.from(size < 16 ? [(kind << 4) | size] : [0x80 | (kind << 4) | (size & 15), ...number(Math.floor(size / 16))])
const blob = (content: Buffer, said = content.byteLength): Buffer =>
  Buffer.concat([header(3, said), deflateSync(content)])
const delta = (back: number, from: number, to: number): Buffer => {
  const content = Buffer.from([...number(from), ...number(to), 0x90, 1])
  return Buffer.concat([header(6, content.byteLength), Buffer.from([back]), deflateSync(content)])
}
const packOf = (objects: Buffer[], count = objects.length): Buffer => {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  return Buffer.concat([head, ...objects, Buffer.alloc(20)])
}
const check = (pack: Buffer): Promise<void> => checkPack(pack, limits, never)
const base = blob(Buffer.from('base'))

describe('a pack', () => {
  it('is accepted if its content matches its header', async () => {
    await check(packOf([]))
    await check(packOf([base, delta(base.byteLength, 4, 1), blob(Buffer.alloc(500_000)), blob(Buffer.alloc(0))]))
  })

  it.each<[string, Buffer]>([
    ['one object that is large', packOf([blob(Buffer.alloc(1_000_001))])],
    ['many that are large together', packOf(Array.from({ length: 3 }, () => blob(Buffer.alloc(400_000))))],
    ['a change that makes much of little', packOf([base, delta(base.byteLength, 4, 2_000_000)])],
    ['many objects', packOf([], 101)],
  ])('of %s is too large', async (_, pack) => {
    await expect(check(pack)).rejects.toMatchObject({ code: 'source.too-large' })
  })

  it.each<[string, Buffer]>([
    ['more in an object than it says', packOf([blob(Buffer.alloc(100_000_000), 10)])],
    ['less in an object than it says', packOf([blob(Buffer.alloc(10), 20)])],
    ['a change of itself', packOf([delta(0, 4, 1)])],
    ['a change of what is not there', packOf([base, delta(3, 4, 1)])],
    [
      'changes of changes without end',
      packOf([
        base,
        ...Array.from({ length: 11 }, (_, n) => delta(n === 0 ? base.byteLength : delta(1, 4, 1).byteLength, 4, 1)),
      ]),
    ],
    ['an unknown kind of object', packOf([Buffer.concat([header(5, 1), deflateSync('x')])])],
    ['fewer objects than it says', packOf([base], 2)],
    ['something behind its objects', packOf([base, base], 1)],
    ['bytes that cannot be unpacked', packOf([Buffer.from([0x34, 1, 2, 3, 4])])],
    ['a size that never ends', packOf([Buffer.alloc(50, 0xff)])],
    ['no head', Buffer.from('hello')],
  ])('with %s is damaged', async (_, pack) => {
    await expect(check(pack)).rejects.toMatchObject({ code: 'source.unreadable' })
  })

  it('is no longer checked after the signal aborts', async () => {
    await expect(checkPack(packOf([base]), limits, AbortSignal.abort())).rejects.toThrow()
  })
})
