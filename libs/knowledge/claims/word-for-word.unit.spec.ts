import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { standsWordForWord } from './word-for-word'

const passage = (id: string, text: string): Passage => ({
  id,
  documentId: 'd',
  collection: 'c',
  title: 'Rules of the house',
  text,
  headingPath: ['Guests'],
  position: 0,
})
const rules = passage(
  'rules',
  '## Not OK\n\nGuests may not stay overnight. **Dogs** are allowed [3] unless they bark. It is forbidden to:\n\n' +
    '- smoke in the hall\n- Doors must be shut.\n\nEvery guest signs\nthe book at the door.\n\nA line\nthat is\nspread out.\n\n' +
    '| Room | Beds |\n|---|---|\n| Blue | 2 |\n\nIt is ~~not~~ free.',
)
const stands = (text: string) =>
  standsWordForWord(text, [{ ...passage('other', 'Else.'), headingPath: [] }, rules])?.passageId ?? null

describe('a text word for word', () => {
  it.each([
    'guests  may not stay overnight',
    'Dogs are allowed unless they bark. [1]',
    '_Every guest_ signs the book at the door.',
    'Guests may not stay overnight. Dogs are allowed unless they bark.',
    'It is forbidden to: smoke in the hall',
    'Doors must be shut.',
    'Blue | 2',
    'Room | Beds',
    'Not OK',
    'Guests',
    'It is ~~not~~ free.',
  ])('is in the passage: %s', (text) => expect(stands(text)).toBe('rules'))

  it.each([
    'Guests may stay overnight.',
    'stay overnight',
    'Dogs are allowed',
    'Dogs are allowed.',
    'smoke in the hall',
    'A line that is spread out.',
    'Blue | 3',
    'Blue',
    'It is not free.',
    'It is free.',
    'Guests may not stay overnight?',
    'Guests may not stay overnight. Else.',
    'Guests may not stay overnight. Doors must be shut.',
    '',
    '**',
  ])('is not in the passage: %s', (text) => expect(stands(text)).toBeNull())
})
