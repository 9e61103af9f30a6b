import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { Client } from '@plumbline/client'
import { useSession } from '../session'
import { Button, Field, FileButton, FormEnd } from '../ui/controls'
import { fetchWithProgress } from './fetch-with-progress'
import { type NewUpload, useUploads } from './uploads'

/** Prepares the upload of a file. If its name already exists, the file becomes a new version of that document. */
const fileToUpload = (clientWith: (by: typeof fetch) => Client, collection: string, file: File): NewUpload => ({
  name: file.name,
  bytes: file.size,
  send: (onSent, signal) =>
    clientWith(fetchWithProgress(onSent)).uploadDocument(file, file.name, { collection, name: file.name }, { signal }),
})

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

const useDroppedFiles = (onDrop: (files: readonly File[]) => void): boolean => {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    let inside = 0
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const entered = (by: 1 | -1) => (event: DragEvent) => {
      if (!hasFiles(event)) return
      inside += by
      setDragging(inside > 0)
    }
    const [enter, leave] = [entered(1), entered(-1)]
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      inside = 0
      setDragging(false)
      onDrop([...(event.dataTransfer?.files ?? [])])
    }
    const listeners = { dragover: over, dragenter: enter, dragleave: leave, drop }
    for (const [name, listen] of Object.entries(listeners)) window.addEventListener(name as 'drop', listen)
    return () => {
      for (const [name, listen] of Object.entries(listeners)) window.removeEventListener(name as 'drop', listen)
    }
  }, [onDrop])
  return isDragging
}

const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())
const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').replace(/^#+\s*/, '').slice(0, 200)

const PasteForm = ({ collection, close }: { collection: string; close: () => void }) => {
  const { client } = useSession()
  const { add } = useUploads()
  const [text, setText] = useState('')
  const [title, setTitle] = useState('')
  const called = title.trim() || firstLine(text)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const url = text.trim()
    add(collection, [
      isAddress(text)
        ? { name: url, send: () => client.addDocument({ url, collection }) }
        : { name: called, send: () => client.addDocument({ text, title: called, name: called, collection }) },
    ])
    close()
  }
  return (
    <form className="card paste" onSubmit={submit}>
      <Field label="Text, or the address of a web page" lines={6} value={text} onChange={setText} autoFocus />
      {!isAddress(text) && <Field label="Title" value={title} onChange={setTitle} placeholder={firstLine(text)} />}
      <FormEnd isReady={text.trim() !== ''} onCancel={close}>
        {isAddress(text) ? 'Fetch this page' : 'Add this text'}
      </FormEnd>
    </form>
  )
}

export const UploadControls = ({ collection, children }: { collection: string; children?: ReactNode }) => {
  const { clientWith } = useSession()
  const { add } = useUploads()
  const [pastes, setPastes] = useState(false)
  const [addFiles] = useState(() => (files: readonly File[]) => {
    add(
      collection,
      files.map((file) => fileToUpload(clientWith, collection, file)),
    )
  })
  const isDragging = useDroppedFiles(addFiles)
  return (
    <>
      <div className="actions">
        <FileButton main multiple onFiles={addFiles}>
          Add files
        </FileButton>
        <Button onPress={() => setPastes(!pastes)} aria-expanded={pastes}>
          Paste text or a web address
        </Button>
        {children}
      </div>
      {pastes && <PasteForm collection={collection} close={() => setPastes(false)} />}
      {isDragging && (
        <div className="drop" role="status">
          <b>Drop the files to add them to {collection}</b>
          <span>A file with the name of an existing document becomes its new version.</span>
        </div>
      )}
    </>
  )
}
