import { describe, expect, it } from 'vitest'
import { offlinePlan } from './plan.offline'
import { planContract } from './plan.contract'

planContract('offline', () => offlinePlan)

const plan = async (question: string, maxSteps = 12) =>
  (
    await offlinePlan({ question, maxSteps }, { signal: new AbortController().signal, tier: 'small', temperature: 0 })
  ).steps.map((step) => (step.waitsFor === null ? step.question : `${step.question} [${step.waitsFor}]`))

describe('offline plan: compound', () => {
  it.each([
    [
      'Who wrote Peer Gynt, and when was it first staged?',
      ['Who wrote Peer Gynt?', 'When was it first staged (Peer Gynt)?'],
    ],
    [
      'What was the GDP of Norway in 2020? And in 2021?',
      ['What was the GDP of Norway in 2020?', 'What was the GDP of Norway in 2021?'],
    ],
    [
      'What was the GDP of Norway in 2020? What about Sweden?',
      ['What was the GDP of Norway in 2020?', 'What was the GDP of Sweden in 2020?'],
    ],
    [
      'What is the GDP of Norway? And its debt in 2021?',
      ['What is the GDP of Norway?', 'What is the debt of Norway in 2021?'],
    ],
    ['Who leads Acme? Where are the headquarters?', ['Who leads Acme?', 'Where are the headquarters for Acme?']],
    [
      'What were the GDP and CPI of Norway in 2020?',
      ['What were the GDP of Norway in 2020?', 'What were the CPI of Norway in 2020?'],
    ],
    [
      'List the GDP for Norway, Sweden and Denmark in 2020.',
      ['List the GDP for Norway in 2020.', 'List the GDP for Sweden in 2020.', 'List the GDP for Denmark in 2020.'],
    ],
    [
      'Retrieve the GDP for Norway in 2020 and the mean rainfall for Bergen in 2021.',
      ['Retrieve the GDP for Norway in 2020.', 'Retrieve the mean rainfall for Bergen in 2021.'],
    ],
    [
      'What was the GDP of Norway in 2020 as well as its CPI in 2021?',
      ['What was the GDP of Norway in 2020?', 'What is the CPI of Norway in 2021?'],
    ],
    [
      'What was Norway’s GDP in 2020 and CPI in 2021?',
      ['What was Norway’s GDP in 2020?', 'What is the CPI of Norway in 2021?'],
    ],
    [
      'Give Norway’s GDP for 2020 and its area.',
      ['Give Norway’s GDP for 2020.', 'What is the area of Norway in 2020?'],
    ],
    [
      'What was the GDP of Norway in 2020, and what was its CPI?',
      ['What was the GDP of Norway in 2020?', 'What was its CPI (Norway) in 2020?'],
    ],
    [
      'What is the type and the default value of MAX_ROWS?',
      ['What is the type of MAX_ROWS?', 'What is the default value of MAX_ROWS?'],
    ],
    [
      'How many ports do Norway and Sweden have?',
      ['How many ports does Norway have?', 'How many ports does Sweden have?'],
    ],
    ['This is about our office. tell me the rent in Oslo in 2021', ['Tell me the rent in Oslo in 2021.']],
  ])('%s', async (question, steps) => expect(await plan(question)).toEqual(steps))

  it.each([
    'What was the GDP of Norway in 2019, 2020 and 2021?',
    'What is the revenue of Marks and Spencer?',
    'What did Acme and its partners build in 2019?',
    'Which tools allow search and replace?',
    'Compare the GDP of Norway in 2019 and 2020.',
    'How much did the GDP of Norway grow between 2019 and 2021?',
    'Who served under Lt. Col. Hansen at the fort?',
    'Who sang "Black and White; What Now and When"?',
    'What role did Unit 422, also known as the Nameless, play?',
    'Who is the director of Jaws?',
    'What is the capital of Norway?',
    'Which is the largest lake of Norway?',
    'What was the highest price of oil in 2020?',
    'Which register returns the key that started the session?',
    'What prompted the sale of the land to the city of New Haven?',
  ])('keeps as one: %s', async (question) => expect(await plan(question)).toHaveLength(1))
})

describe('offline plan: comparisons', () => {
  it.each([
    [
      'Compare Oslo and Bergen in terms of rainfall in 2020.',
      ['What is the rainfall of Oslo in 2020?', 'What is the rainfall of Bergen in 2020?'],
    ],
    [
      'Compare the GDP of Norway with that of Sweden in 2020.',
      ['What is the GDP of Norway in 2020?', 'What is the GDP of Sweden in 2020?'],
    ],
    [
      'What is the difference between the lenient and the strict mode?',
      ['What is the lenient mode?', 'What is the strict mode?'],
    ],
    [
      'How does Acme’s 2023 average CPI compare with the national average?',
      ['What is Acme’s 2023 average CPI?', 'What is the national average CPI?'],
    ],
    [
      'Which city had the higher GDP in 2020, Oslo or Bergen?',
      ['What is the GDP of Oslo in 2020?', 'What is the GDP of Bergen in 2020?'],
    ],
    [
      'Which paper was founded first, Aftenposten or Dagbladet?',
      ['When was Aftenposten founded?', 'When was Dagbladet founded?'],
    ],
    ['Who is taller, Ann Lee or Bo Berg?', ['What is the height of Ann Lee?', 'What is the height of Bo Berg?']],
    ['Are Oslo and Bergen in the same county?', ['What is the county of Oslo?', 'What is the county of Bergen?']],
  ])('%s', async (question, steps) => expect(await plan(question)).toEqual(steps))
})

describe('offline plan: bridges', () => {
  it.each([
    ['Who is the mother of the director of Jaws?', ['Who is the director of Jaws?', 'Who is the mother of #1? [1]']],
    [
      'What is the mass of the planet with the most moons?',
      ['Which planet has the most moons?', 'What is the mass of #1? [1]'],
    ],
    [
      'What was the GDP of the city with the most ships in 2020?',
      ['Which city has the most ships in 2020?', 'What was the GDP of #1 in 2020? [1]'],
    ],
    [
      'What is the depth of the largest lake of Norway?',
      ['Which lake of Norway is the largest?', 'What is the depth of #1? [1]'],
    ],
    ['When was Triton discovered and by whom?', ['When was Triton discovered?', 'By whom was Triton discovered?']],
    ['By whom and when was Triton discovered?', ['By whom was Triton discovered?', 'When was Triton discovered?']],
    ['Who discovered Triton and when?', ['Who discovered Triton?', 'When was Triton discovered?']],
    ['When and where did Ann Lee play?', ['When and where did Ann Lee play?']],
    ['Who mapped the largest lake of Norway?', ['Which lake of Norway is the largest?', 'Who mapped #1? [1]']],
    [
      'When was the largest lake of Norway discovered?',
      ['Which lake of Norway is the largest?', 'When was #1 discovered? [1]'],
    ],
    [
      'When did the state where Fort Lee stands become free?',
      ['What is the state where Fort Lee stands?', 'When did #1 become free? [1]'],
    ],
    ['Where is the company that built Fort Lee based?', ['Which company built Fort Lee?', 'Where is #1 based? [1]']],
    [
      'What river crosses the birthplace of the author of Emma?',
      ['Who is the author of Emma?', 'What is the birthplace of #1? [1]', 'What river crosses #2? [2]'],
    ],
    ['Where did the band form that recorded Fjord?', ['Which band recorded Fjord?', 'Where did #1 form? [1]']],
    [
      'When did the country in which the author of Emma is a citizen join?',
      ['Who is the author of Emma?', 'In which country is #1 a citizen? [1]', 'When did #2 join? [2]'],
    ],
    [
      'What part of the town where grey seals are fed is closed?',
      ['In which town are grey seals fed?', 'What part of #1 is closed? [1]'],
    ],
    [
      'Bo Berg also plays a sport that was founded when?',
      ['Bo Berg also plays which sport?', '#1 was founded when? [1]'],
    ],
    [
      'Who mapped both the city where Fort Lee stands and the island where Ibsen was born?',
      [
        'In which island was Ibsen born?',
        'Who mapped both the city where Fort Lee stands and #1? [1]',
        'What is the city where Fort Lee stands?',
      ],
    ],
    [
      'Who was born first, the director of Jaws or the director of Psycho?',
      [
        'Who is the director of Jaws?',
        'When was #1 born? [1]',
        'Who is the director of Psycho?',
        'When was #3 born? [3]',
      ],
    ],
  ])('%s', async (question, steps) => expect(await plan(question)).toEqual(steps))
})
