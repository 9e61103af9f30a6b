import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Problem, type DocumentView } from '@plumbline/contracts'
import { openHouse, post, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const turned = 'report\u202efdp.txt'
const upload = (...parts: string[]): Promise<Response> =>
  fetch(`${house.url}/v1/documents`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: [...parts.map((part) => `--x\r\ncontent-disposition: form-data; ${part}\r\n`), '--x--\r\n'].join(''),
  })
const file = 'name="file"; filename="notes.txt"\r\n\r\nRed.'

describe('a name that would mislead who reads it', () => {
  it('is cleaned: the file, the title, the name and the metadata of a document', async () => {
    const metadata = JSON.stringify({ [turned]: `${turned}\u009b31m` })
    const response = await upload(
      `name="title"\r\n\r\n${turned}`,
      `name="name"\r\n\r\na/${turned}`,
      `name="metadata"\r\n\r\n${metadata}`,
      `name="file"; filename="\u001b[31m${turned}"\r\n\r\nRed.`,
    )
    expect([response.status, (await response.json()) as DocumentView]).toMatchObject([
      202,
      {
        title: 'reportfdp.txt',
        name: 'a/reportfdp.txt',
        metadata: { 'reportfdp.txt': 'reportfdp.txt31m' },
        source: { file: 'reportfdp.txt' },
      },
    ])
  })

  it('is refused where programs compare it', async () => {
    const response = await post(house.url, '/v1/runs', { question: 'How?', threadId: `a\u202eb` })
    expect(Problem.parse(await response.json())).toMatchObject({
      status: 400,
      errors: [{ field: 'threadId', message: expect.stringContaining('change the direction of writing') }],
    })
    const put = await fetch(`${house.url}/v1/collections/${encodeURIComponent('a\u202eb')}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ description: 'Planets.' }),
    })
    expect(Problem.parse(await put.json())).toMatchObject({ status: 400, errors: [{ field: 'name' }] })
  })
})

describe('a name that every object has', () => {
  const asked = (text: string) =>
    fetch(`${house.url}/v1/runs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })

  it.each(['__proto__', 'constructor', '\\u005f_proto__', 'c\\u006fnstructor'])(
    'is refused in a body: %s',
    async (name) => {
      for (const body of [`{"question":"How?","${name}":{}}`, `{"question":"How?","metadata":{"${name}":"a"}}`]) {
        const response = await asked(body)
        expect(Problem.parse(await response.json())).toMatchObject({
          status: 400,
          errors: [
            {
              field: expect.stringMatching(/^(__proto__|constructor)$/),
              message: expect.stringContaining('another name'),
            },
          ],
        })
      }
    },
  )

  it('may be asked about', async () => {
    expect((await asked('{"question":"What is a constructor, what is __proto__, and \\u0061?"}')).status).toBe(202)
  })

  it.each([
    ['a field', 'name="constructor"\r\n\r\nx'],
    ['a field', 'name="__proto__"\r\n\r\nx'],
    ['metadata', 'name="metadata"\r\n\r\n{"constructor":"x"}'],
    ['metadata', 'name="metadata"\r\n\r\n{"__proto__":"x"}'],
    ['metadata that says it is JSON', 'name="metadata"\r\ncontent-type: application/json\r\n\r\n{"constructor":"x"}'],
  ])('is refused in a form: %s', async (_, part) => {
    const response = await upload(part, file)
    expect([response.status, (await response.json()) as unknown]).toMatchObject([
      400,
      { detail: expect.stringMatching(/use another name/i) },
    ])
  })
})
