import type { MultipartFile } from '@fastify/multipart'
import type { Received } from '@plumbline/adapters/files'
import { DocumentFields, formatOfName } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { FastifyRequest } from 'fastify'
import { Refusal, wrongField } from '../door/problem'
import { validate } from '../door/valid.pipe'

/** Streams a file to where it is kept until it is known whose it is. */
export type Receive = (content: AsyncIterable<Uint8Array>) => Promise<Received>
export type Upload = { fields: DocumentFields; brought: { kind: 'file'; file: string; mediaType?: string; received: Received } }
type Sent = { file: string; mediaType: string; received: Received }
type Fields = Record<string, unknown>

const longestName = 300
const read = 'PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), CSV, HTML, Markdown, AsciiDoc, text, source code and images'

/** Told before the file is read: the fields after it are not known yet. */
const checkFormat = (file: string, { format }: Fields): void => {
  if (format !== undefined || formatOfName(file) !== undefined) return
  throw new Refusal('unsupported-media-type', `file: the name "${file}" does not say what it is. Read are ${read}; name the format in a field before the file.`, {
    errors: [{ field: 'file', message: 'give it the ending of its format, or send the field format before it' }],
  })
}

const receiveFile = async (part: MultipartFile, fields: Fields, receive: Receive): Promise<Sent> => {
  const file = part.filename.replace(/\p{Cc}/gu, '').trim().slice(-longestName)
  if (file === '') throw wrongField('file', 'send the name of the file with it')
  checkFormat(file, fields)
  try {
    return { file, mediaType: part.mimetype, received: await receive(part.file) }
  } catch (error) {
    if (error instanceof Unfit && error.reason === 'too-large') throw new Refusal('body-too-large', error.words, { cause: error })
    throw error
  }
}

const readJson = (field: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw wrongField(field, 'send it as JSON')
  }
}

const listed = new Set(['supersedes', 'access'])
/** A list is sent as JSON or as the same field again and again. */
const addField = (fields: Fields, name: string, text: string): void => {
  if (name === 'metadata') fields[name] = readJson(name, text)
  else if (!listed.has(name)) fields[name] = text
  else if (text.startsWith('[')) fields[name] = readJson(name, text)
  else fields[name] = [...(Array.isArray(fields[name]) ? (fields[name] as unknown[]) : []), text]
}

/** A form with one file and the fields of its document, before or after it. */
export const readUpload = async (request: FastifyRequest, receive: Receive): Promise<Upload> => {
  let sent: Sent | undefined
  const fields: Fields = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') sent = await receiveFile(part, fields, receive)
      else addField(fields, part.fieldname, String(part.value))
    }
    if (!sent) throw wrongField('file', 'send one file')
    if (sent.received.bytes === 0) throw wrongField('file', 'is empty: send one that has something in it')
    const { file, mediaType, received } = sent
    const told = mediaType === 'application/octet-stream' ? {} : { mediaType }
    const format = fields.format ?? formatOfName(file)
    return { fields: validate(DocumentFields, { ...fields, ...(format !== undefined && { format }) }), brought: { kind: 'file', file, received, ...told } }
  } catch (error) {
    // What is left of a refused body is taken off the line, or the connection could not be used again.
    request.raw.unpipe().resume()
    await sent?.received.discard()
    if (request.raw.destroyed && !request.raw.complete) throw new Refusal('malformed-body', 'The file did not arrive whole. Send it again.', { cause: error })
    throw error
  }
}
