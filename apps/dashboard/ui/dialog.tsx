import { type ReactNode, useLayoutEffect, useId, useRef, useState } from 'react'

export const Dialog = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [opener] = useState(() => document.activeElement)
  // Render the content only after the dialog is open, because a field in a closed dialog cannot receive the focus.
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Give the focus to the dialog itself, because its first button may delete something.
    element?.focus()
    setOpen(true)
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [opener])
  return (
    <dialog
      ref={dialog}
      className="card modal"
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="modal-body">
        <h2 id={id}>{title}</h2>
        {isOpen && children}
      </div>
    </dialog>
  )
}
