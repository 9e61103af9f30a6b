import { describe, expect, it } from 'vitest'
import { asksOfTheMoment, sameQuestion } from './same-question'

const mayServe: [string, string][] = [
  ['What is the PUE of Dublin in 2022?', 'What is the PUE of Dublin in 2022'],
  ['What is the PUE of Dublin in 2022?', 'what is the PUE of Dublin in 2022?'],
  ['What is the PUE of Dublin in 2022?', '  What is  the PUE of\nDublin in 2022 ?'],
  ['What is the PUE of Dublin in 2022?', 'What’s the PUE of Dublin in 2022?'],
  ['What is the PUE of Dublin in 2022?', 'Tell me the PUE of Dublin in 2022.'],
  ['What is the PUE of Dublin in 2022?', 'Please give me the PUE of Dublin in 2022'],
  ['What is the PUE of Dublin in 2022?', 'Could you tell me the PUE of Dublin in 2022?'],
  ['What is the PUE of Dublin in 2022?', 'Can you please show me the PUE of Dublin in 2022?'],
  ['What is the PUE of Dublin in 2022?', 'What is the PUE of Dublin in 2022, please?'],
  ['Who founded Oceanic Films?', 'Tell me who founded Oceanic Films.'],
  ['Who founded Oceanic Films?', 'Do you know who founded Oceanic Films?'],
  ['Who founded Oceanic Films?', 'I want to know who founded Oceanic Films'],
  ['Who is the owner of “Blue Door”?', 'who\'s the owner of "Blue Door"?'],
  ['What’s PUE?', 'what is PUE'],
  ['How did costs develop in 2019–2022?', 'How did costs develop in 2019-2022?'],
  ['When does the contract with Müller end?', 'when does the contract with Mu\u0308ller end??'],
  ['How many moons does Mars have?', 'How many moons does Mars have, thank you'],
  ['Is granite harder than slate?', 'is granite harder than slate'],
]

const mustNot: Record<string, [string, string][]> = {
  'years and dates': [
    ['What was the PUE in 2019?', 'What was the PUE in 2022?'],
    ['What was the PUE in FY19?', 'What was the PUE in FY22?'],
    ['What did we sell in 2019-2022?', 'What did we sell in 2019-2021?'],
    ['What did we sell in March?', 'What did we sell in May?'],
    ['What did we sell in march?', 'What did we sell in may?'],
    ['What did we sell in Q1?', 'What did we sell in Q2?'],
    ['What happened on 3 May?', 'What happened on 5 May?'],
    ['What happened on 03/05/2024?', 'What happened on 05/03/2024?'],
    ['Who spoke on Monday?', 'Who spoke on Sunday?'],
    ['Who ruled in the 1920s?', 'Who ruled in the 1930s?'],
  ],
  'numbers, ordinals and versions': [
    ['Which plans cost 10 euro?', 'Which plans cost 100 euro?'],
    ['Which plans cost two euro?', 'Which plans cost three euro?'],
    ['What does error 404 mean?', 'What does error 403 mean?'],
    ['What is the first step?', 'What is the second step?'],
    ['Who came 1st?', 'Who came 2nd?'],
    ['What changed in 2.1?', 'What changed in 2.10?'],
    ['What melts at -5 degrees?', 'What melts at 5 degrees?'],
    ['What is new in v2?', 'What is new in v3?'],
    ['What is x² for 3?', 'What is x2 for 3?'],
    ['What is in table IV?', 'What is in table VI?'],
  ],
  'units and amounts': [
    ['How many km is it to Rome?', 'How many miles is it to Rome?'],
    ['How high is it in °C?', 'How high is it in °F?'],
    ['Which cost $5?', 'Which cost €5?'],
    ['Which loads are 5 MW?', 'Which loads are 5 mW?'],
    ['What share rose by 5%?', 'What share rose by 5?'],
    ['What is the cost per day?', 'What is the cost per month?'],
    ['How many does it hold?', 'How much does it hold?'],
    ['Which takes 3 seconds?', 'Which takes 3 minutes?'],
  ],
  names: [
    ['What did Google decide?', 'what did google decide?'],
    ['What did the US decide?', 'What did the us decide?'],
    ['Who reported the cases?', 'WHO reported the cases?'],
    ['How is Polish furniture made?', 'How is polish furniture made?'],
    ['What does C++ cost?', 'What does C# cost?'],
    ['What does C++ cost?', 'What does C cost?'],
    ['What does vitamin A do?', 'What does vitamin do?'],
    ['What does vitamin A do?', 'What does vitamin B do?'],
    ['When did Müller leave?', 'When did Muller leave?'],
    ['Where was Ann Lee born?', 'Where was Anna Lee born?'],
    ['What did the smiths sell?', 'What did the smith sell?'],
    ['What is user_id for?', 'What is user-id for?'],
    ['Who runs dublin?', 'Who runs durban?'],
    ['What is 5!', 'What is 5?'],
  ],
  negation: [
    ['Which plans are covered?', 'Which plans are not covered?'],
    ['Can I cancel?', 'Can I never cancel?'],
    ['Which run with a key?', 'Which run without a key?'],
    ['Which are legal?', 'Which are illegal?'],
    ['Who is able to vote?', 'Who is unable to vote?'],
    ['Why does it start?', "Why doesn't it start?"],
    ['Which include tax?', 'Which exclude tax?'],
    ['What may I do unless told?', 'What may I do if told?'],
    ['Who has access?', 'Who has no access?'],
  ],
  'directions, opposites and comparatives': [
    ['What lies north of Rome?', 'What lies south of Rome?'],
    ['What happened before the merger?', 'What happened after the merger?'],
    ['Which cost more than slate?', 'Which cost less than slate?'],
    ['Which stone is harder?', 'Which stone is hardest?'],
    ['Which stone is hard?', 'Which stone is harder?'],
    ['What is the minimum age?', 'What is the maximum age?'],
    ['What goes up?', 'What goes down?'],
    ['What is inside the box?', 'What is outside the box?'],
    ['Did income rise?', 'Did income fall?'],
    ['What is above the limit?', 'What is below the limit?'],
    ['Who is in office?', 'Who is in the office?'],
    ['Which is the best one?', 'Which is the worst one?'],
    ['Which are at least two?', 'Which are at most two?'],
  ],
  'roles and order': [
    ['Did Ann beat Bob?', 'Did Bob beat Ann?'],
    ['who did ann beat?', 'who beat ann?'],
    ['Who beat Ann?', 'Who was beaten by Ann?'],
    ['How do I go from Rome to Bonn?', 'How do I go from Bonn to Rome?'],
    ['how do cats eat dogs?', 'how do dogs eat cats?'],
    ['Which firms acquired Slack?', 'Which firms is Slack acquiring?'],
    ['Name firms acquiring banks', 'Name firms acquired banks'],
    ['What is a over b?', 'What is b over a?'],
    ['Who pays the employer?', 'Who pays the employee?'],
  ],
  'quantifiers, tense, mood and what is asked': [
    ['Do all plans expire?', 'Do some plans expire?'],
    ['Do few plans expire?', 'Do a few plans expire?'],
    ['Does any plan expire?', 'Does every plan expire?'],
    ['Who is the CEO?', 'Who was the CEO?'],
    ['Who is left?', 'Who’s left?'],
    ['Who is hired this year?', 'who’s hired this year?'],
    ['Who leads?', 'Who will lead?'],
    ['Must I sign?', 'May I sign?'],
    ['Who signed?', 'When signed?'],
    ['Where was it built?', 'When was it built?'],
    ['How was it built?', 'Why was it built?'],
    ['Which plan is it?', 'Which plans is it?'],
    ['Is it my plan?', 'Is it your plan?'],
    ['What is the list price?', 'What is the price?'],
    ['List price of slate', 'Price of slate'],
    ['Tell me about Mars', 'What is Mars?'],
    ['What is language?', 'What is the language?'],
    ['Who, if anyone, left?', 'Who left?'],
    ['May sales: how high?', 'may sales: how high?'],
    ['What is slate? What is chalk?', 'What is chalk? What is slate?'],
    ['', 'What?'],
    ['How do I say yes, please?', 'How do I say yes?'],
    ['What is the fish in the pond?', 'What are the fish in the pond?'],
    ['A helps whom?', 'a helps whom?'],
  ],
}

describe('the same question', () => {
  it.each(mayServe)('may serve: %s | %s', (a, b) =>
    expect([sameQuestion(a, b), sameQuestion(b, a)]).toEqual([true, true]),
  )

  describe.each(Object.entries(mustNot))('never across %s', (_, pairs) => {
    it.each(pairs)('%s | %s', (a, b) => expect([sameQuestion(a, b), sameQuestion(b, a)]).toEqual([false, false]))
  })

  it('is always itself, whatever it holds', () => {
    for (const text of [
      '',
      '?',
      'What',
      'a'.repeat(4_000),
      'x '.repeat(2_000),
      '東京の気温は?',
      '{{7*7}} \0',
      ...Object.values(mustNot).flat(2),
    ])
      expect(sameQuestion(text, text)).toBe(true)
  })

  it.each([
    'Who leads today?',
    'What is the latest version?',
    'Which plan is current?',
    'What did we sell last quarter?',
    'Who has left so far?',
    'How many days are left to appeal?',
    'How old is Ann?',
    'When is the next audit?',
    'Has the contract expired?',
  ])('is of the moment: %s', (question) => expect(asksOfTheMoment(question)).toBe(true))

  it.each(['What was the PUE in 2022?', 'Who knows Nowak?', 'How is gold leaf made?'])(
    'is not of the moment: %s',
    (question) => expect(asksOfTheMoment(question)).toBe(false),
  )
})
