import { describe, expect, it } from 'vitest'
import { skewOf } from './skew'

const [width, height] = [600, 800]

/** Returns an image of dashed dark lines that slope down to the right by `degrees`. */
const page = (degrees: number): Uint8Array => {
  const data = new Uint8Array(width * height).fill(240)
  for (let line = 80; line < 720; line += 16)
    for (let x = 60; x < 540; x += 1)
      for (let thick = 0; thick < 6 && x % 11 < 8; thick += 1) {
        const y = Math.round(line + thick + x * Math.tan((degrees * Math.PI) / 180))
        if (y < height) data[y * width + x] = 20
      }
  return data
}

describe('the skew of a scan', () => {
  it.each([-4, -2, 2, 6])('is found: %d degrees', (degrees) => {
    expect(skewOf({ data: page(degrees), width, height })).toBeCloseTo(degrees, 0)
  })

  it('is 0 for straight lines and for an empty page', () => {
    expect(skewOf({ data: page(0), width, height })).toBe(0)
    expect(skewOf({ data: new Uint8Array(width * height).fill(255), width, height })).toBe(0)
  })
})
