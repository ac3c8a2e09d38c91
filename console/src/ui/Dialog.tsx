import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'

/**
 * A window over the page. The browser's own dialog holds the focus inside, closes on Esc and gives the focus back.
 * Render it only while it is open.
 */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
  drawer = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  wide?: boolean
  /** At the right edge of the window, as high as it. */
  drawer?: boolean
}) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    if (dialog && !dialog.open) {
      dialog.showModal()
      // Who opened a form wants to type, not to close it again.
      dialog.querySelector<HTMLElement>('input, select, textarea')?.focus()
    }
    return () => dialog?.close()
  }, [])
  return (
    // A click beside the window closes it, as Esc does for the keyboard.
    // oxlint-disable-next-line click-events-have-key-events no-noninteractive-element-interactions
    <dialog
      ref={element}
      className={`dialog ${wide ? 'wide' : ''} ${drawer ? 'drawer' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton label="Close" icon="close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Asks once more before something that cannot be taken back. */
export function Confirm({
  title,
  children,
  action,
  busy = false,
  onConfirm,
  onClose,
}: {
  title: string
  children: ReactNode
  /** The verb on the button, such as "Revoke the key". */
  action: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">{children}</div>
      <div className="form-actions">
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  )
}
