import { expect, it } from 'vitest'
import { turnedRules, turnOf, upright } from './turned-pages'

const page = (rotation: number) => ({
  width: 600,
  height: 800,
  textItems: [{ text: 'Region', x: 100, y: 200, width: 10, height: 40, rotation }],
})

it('tells which way most of a page was turned', () => {
  expect([0, 90, 270, -90, 45].map((rotation) => turnOf(page(rotation)))).toEqual([
    'none',
    'clockwise',
    'anticlockwise',
    'anticlockwise',
    'none',
  ])
})

it('holds a turned page upright, text and lines', () => {
  const read = (rotation: number) => upright(page(rotation), turnOf(page(rotation)))
  expect(read(90)).toMatchObject({ width: 800, textItems: [{ x: 200, y: 490, width: 40, height: 10, rotation: 0 }] })
  expect(read(270)).toMatchObject({ width: 800, textItems: [{ x: 560, y: 100, width: 40, height: 10, rotation: 360 }] })
  const rules = { across: [{ at: 300, from: 0, to: 100 }], down: [{ at: 50, from: 10, to: 20 }] }
  expect(turnedRules(rules, page(90), 'clockwise')).toEqual({
    across: [{ at: 550, from: 10, to: 20 }],
    down: [{ at: 300, from: 500, to: 600 }],
  })
  expect(turnedRules(rules, page(270), 'anticlockwise')).toEqual({
    across: [{ at: 50, from: 780, to: 790 }],
    down: [{ at: 500, from: 0, to: 100 }],
  })
})
