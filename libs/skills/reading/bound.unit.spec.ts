import { expect, it } from 'vitest'
import { boundIn } from './bound'

const held = (text: string, exact = false): number[] | null => {
  const bound = boundIn(text, exact)
  return bound && [4, 5, 6, 7, 8].filter(bound.passes)
}

it.each([
  ['Which ports are above 5?', [6, 7, 8]],
  ['Which ports have a share over 5 % in 2022?', [6, 7, 8]],
  ['Which ports are below 5?', [4]],
  ['Which ports have no more than 5?', [4, 5]],
  ['Which ports have not exceeded 5?', [4, 5]],
  ['Which ports are not below 7?', [7, 8]],
  ["Which ports aren't above 5?", [4, 5]],
  ['Which ports have at least 7 cranes?', [7, 8]],
  ['Which ports have 7 cranes or more?', [7, 8]],
  ['Which ports have at most 5?', [4, 5]],
  ['Which ports are between 5 and 7?', [5, 6, 7]],
  ['Which ports are above 4 but below 7?', [5, 6]],
  ['Which ports are higher than that of Oslo?', null],
  ['What did port 5 report?', null],
  ['Which ports have a share of 5?', null],
])('%s', (text, expected) => expect(held(text)).toEqual(expected))

it('takes a bare figure for a bound where it is asked for', () =>
  expect(held('Which ports have a share of 5?', true)).toEqual([5]))
