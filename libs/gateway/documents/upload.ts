import { extname, basename } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import type { Format } from '@plumbline/contracts'
import type { FastifyRequest } from 'fastify'
import { decodeUtf8 } from '../door/body'
import { Refusal, wrongField } from '../door/problem'

const formats: Record<string, Format> = { '.md': 'markdown', '.markdown': 'markdown', '.txt': 'text' }

const formatOf = (filename: string): Format => {
  const format = formats[extname(filename).toLowerCase()]
  if (!format)
    throw new Refusal(
      'unsupported-media-type',
      `file: ${filename || 'a file without a name'} is not read here; send one of ${Object.keys(formats).join(', ')}.`,
      { errors: [{ field: 'file', message: 'send Markdown or plain text' }] },
    )
  return format
}

const readFile = async (part: MultipartFile): Promise<Record<string, unknown>> => {
  const format = formatOf(part.filename)
  return { title: basename(part.filename, extname(part.filename)), text: decodeUtf8(await part.toBuffer(), 'The file'), format }
}

const readJson = (field: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw wrongField(field, 'send a JSON object')
  }
}

/** A multipart upload as the JSON body that would say the same; the fields win over what the file's name says. */
export const readUpload = async (request: FastifyRequest): Promise<unknown> => {
  let file: Record<string, unknown> | undefined
  const fields: Record<string, unknown> = {}
  for await (const part of request.parts()) {
    if (part.type === 'file') file = await readFile(part)
    else fields[part.fieldname] = part.fieldname === 'metadata' ? readJson('metadata', String(part.value)) : part.value
  }
  if (!file) throw wrongField('file', 'send one file, .md or .txt')
  return { ...file, ...fields }
}
