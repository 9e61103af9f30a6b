import { intakeDefaults, type Original } from '@plumbline/adapters/files'
import { Unfit } from '@plumbline/ports/document-parser'
import { Lost, note, percentAfter, type Work } from './work'

const fromAddress = async ({ ports, open }: Work, address: string, signal: AbortSignal): Promise<void> => {
  const { content, close, ...about } = await ports.fetch(address, signal)
  try {
    const received = await ports.files.receive(content, { bytes: intakeDefaults.mostBytes }, signal)
    await received.keep(open.id, open.revision, about)
    // Nobody looks after the files of a document that went meanwhile.
    if (!(await ports.catalog.needed(open.id)).includes(open.revision)) await ports.files.drop(open.id, open.revision)
  } finally {
    await close()
  }
}

/** The document's bytes, and which version they make. */
export const fetchOriginal = async (work: Work): Promise<{ original: Original; version: string }> => {
  const { ports, open, signal } = work
  const { files, catalog } = ports
  const { source } = open.document
  const held = (): Promise<Original | null> => files.original(open.id, open.revision)
  let original = await held()
  if (!original && source?.kind === 'url') {
    await note(work, { task: 'fetch' })
    const { url } = source
    await ports.aside(`${open.id}.${open.revision}`, (stopped) => fromAddress(work, url, stopped), signal)
    original = await held()
  }
  if (!original) throw new Unfit('unreadable', 'The bytes of the document are not there any more. Send it again.')
  const version = open.version || (await catalog.fetched(open, original.digest))
  if (version === null) throw new Lost()
  await note(work, { task: 'fetch', percent: percentAfter.fetch })
  return { original, version }
}
