import { describe, expect, it } from 'vitest'
import { fromProse } from './from-prose'

const passage = (text: string, heading = 'Section') => ({ id: 'p', title: 'Handbook', headingPath: [heading], text })
const told = (question: string, text: string, heading?: string): string[] =>
  fromProse(question, [passage(text, heading)], '', 3).map((statement) => statement.text)

const pay = 'Tell your team lead on the first day of illness. The salary of a trainee is 900 EUR.'
const kiln = '**The red lamp blinks.** A stone blocks the drum. The drum turns at night. Oil the drum once a week.'
const ships =
  '| Ship | Built by | Launched (year) | Port |\n|---|---|---|---|\n| Alma | Oskar Berg | 1877 | Aldwick |\n| Vega | Hanna Lund | 1655 | Corvey |\n| Rana | | | |'

describe('what prose may answer', () => {
  it('leaves out what lacks the word that is asked for, where the passage uses it', () =>
    expect(told('What is the salary of a team lead?', pay)).not.toContain(
      'Tell your team lead on the first day of illness.',
    ))

  it('takes no row of another thing, and no unit of a column for its subject', () => {
    expect(told('Who launched Vega in 1877?', ships)).toEqual([])
    expect(told('How long is a year in Aldwick?', ships)).toEqual([])
    expect(told('Why does Rana have two decks?', ships, 'Ship Rana')).toEqual([])
  })

  it('takes no row at random', () => expect(told('What is the port of that?', ships)).toEqual([]))

  it('takes a figure of the question for no answer to it', () =>
    expect(told('How heavy is the Kiln 300?', 'The Kiln 300 is a kiln for home use.')).toEqual([]))

  it('tells how often, and what it means when', () => {
    expect(told('How often should I oil the drum?', kiln)).toEqual(['Oil the drum once a week.'])
    expect(told('What does it mean when the red lamp blinks?', kiln)).toEqual(['A stone blocks the drum.'])
  })

  it('does not repeat the question', () =>
    expect(told('What should I do when the drum turns at night?', 'The drum turns at night.')).toEqual([]))

  it('gives no reason that lacks what is to be explained', () => {
    const text =
      'Rana is the only ship without a mast. Alma is the largest boat of Rana. The firm chose oak because it is strong.'
    expect(told('Why is Rana the largest ship?', text)).toEqual([])
    expect(told('Why did the firm choose oak?', text)).toEqual(['The firm chose oak because it is strong.'])
  })

  it('names somebody where it is asked who, also by another word', () => {
    expect(told('Who composed the anthem of Halden?', 'The anthem of Halden is sung on 1 June.')).toEqual([])
    expect(told('Who composed the anthem of Halden?', 'The anthem of Halden is by Hanna Lund.')).toEqual([
      'The anthem of Halden is by Hanna Lund.',
    ])
  })

  it('prefers the sentence that is asked for to what leans on it', () =>
    expect(
      told(
        'Where is the serial number?',
        'The serial number is on the underside of the kiln. Spare parts are sold in Aldwick.',
      ),
    ).toEqual(['The serial number is on the underside of the kiln.']))
})
