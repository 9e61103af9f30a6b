import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { ReceivedFile } from '@plumbline/adapters/files/document-files'
import { cleanName, DocumentFields, formatOfName, readFormats } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { FastifyRequest } from 'fastify'
import { formLimits, parseJson } from '../http/body'
import { Refusal, wrongField } from '../http/problem'
import { validate } from '../http/validate'

export type Receive = (content: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>
export type Upload = {
  fields: DocumentFields
  brought: { kind: 'file'; file: string; mediaType?: string; received: ReceivedFile }
}
type Sent = { file: string; mediaType: string; received: ReceivedFile }
type Fields = Record<string, unknown>

const longestName = 300

const formatCalled = (file: string, { name }: Fields) =>
  formatOfName(file) ?? (typeof name === 'string' ? formatOfName(name) : undefined)

/** This check runs before the bytes are read. Only the fields that were sent before the file are known here. */
const checkFormat = (file: string, fields: Fields): void => {
  if (fields.format !== undefined || formatCalled(file, fields) !== undefined) return
  throw new Refusal(
    'unsupported-media-type',
    `file: the name "${file}" does not show its format. Supported formats: ${readFormats}. Send the field \`format\` before the file.`,
    {
      errors: [
        {
          field: 'file',
          message: 'give the file name the extension of its format, or send the field `format` before the file',
        },
      ],
    },
  )
}

const receiveFile = async (part: MultipartFile, fields: Fields, receive: Receive): Promise<Sent> => {
  // A client may send a file part without a name, although the type requires a name.
  const { filename = '' }: { filename?: string } = part
  const file = cleanName(filename).slice(-longestName)
  if (file === '') throw wrongField('file', 'send the name of the file too')
  checkFormat(file, fields)
  try {
    return { file, mediaType: part.mimetype, received: await receive(part.file) }
  } catch (error) {
    if (error instanceof Unfit && error.reason === 'too-large')
      throw new Refusal('body-too-large', error.words, { cause: error })
    throw error
  }
}

const readJson = (field: string, text: string): unknown => {
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof Refusal ? error : wrongField(field, 'send it as JSON')
  }
}

const listed = new Set(['supersedes', 'access'])
const addField = (fields: Fields, { fieldname: name, value, valueTruncated }: MultipartValue): void => {
  if (valueTruncated) throw wrongField(name, `is too long: ${formLimits.fieldSize.toLocaleString('en')} bytes at most`)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isJson = text !== value || name === 'metadata' || (listed.has(name) && text.startsWith('['))
  const told = isJson ? readJson(name, text) : text
  const before = fields[name]
  fields[name] =
    listed.has(name) && !Array.isArray(told) ? [...(Array.isArray(before) ? (before as unknown[]) : []), told] : told
}

const faults: Record<string, () => Refusal> = {
  FST_FILES_LIMIT: () => wrongField('file', 'send one file per request'),
  FST_FIELDS_LIMIT: () =>
    new Refusal(
      'invalid-request',
      `The form has too many fields. Send at most ${formLimits.fields}; write a list as JSON in one field.`,
    ),
  FST_PROTO_VIOLATION: () =>
    new Refusal('invalid-request', 'A field has a reserved name such as __proto__ or constructor. Use another name.'),
  FST_INVALID_JSON_FIELD_ERROR: () =>
    new Refusal(
      'invalid-request',
      'A field with the type application/json is not valid JSON. Check quotes, commas and braces.',
    ),
}
const formFault = (error: unknown): Refusal | undefined => {
  if (!(error instanceof Error) || error instanceof Refusal) return undefined
  const known = 'code' in error ? faults[String(error.code)] : undefined
  if (known) return known()
  if (!/multipart|^the needle/i.test(error.message)) return undefined
  return new Refusal(
    'malformed-body',
    'The form cannot be read, because its boundary is not declared or the form ends before its last boundary. Send the form as curl -F does.',
    { cause: error },
  )
}

export const readUpload = async (request: FastifyRequest, receive: Receive): Promise<Upload> => {
  let sent: Sent | undefined
  const fields: Fields = {}
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') sent = await receiveFile(part, fields, receive)
      else addField(fields, part)
    }
    if (!sent) throw wrongField('file', 'send one file')
    if (sent.received.bytes === 0) throw wrongField('file', 'is empty: send a file with content')
    const { file, mediaType, received } = sent
    const told = mediaType === 'application/octet-stream' ? {} : { mediaType }
    const format = fields.format ?? formatCalled(file, fields)
    return {
      fields: validate(DocumentFields, { ...fields, ...(format !== undefined && { format }) }),
      brought: { kind: 'file', file, received, ...told },
    }
  } catch (error) {
    // Discards the unread body, so that the connection can be reused.
    request.raw.unpipe().resume()
    await sent?.received.discard()
    if (request.raw.destroyed && !request.raw.complete)
      throw new Refusal('malformed-body', 'The file did not arrive completely. Send the file again.', { cause: error })
    throw formFault(error) ?? error
  }
}
