import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import type { Beginning } from '../answers.ts'
import { useWrite } from '../read.ts'
import { t } from '../text/text.ts'
import { Button, IconButton } from './Button.tsx'
import { Refused } from './Form.tsx'
import { useWritten } from './written.ts'

/** What closing a window with something half written says. */
export const UNSAVED = t('Your changes are not saved.')

const CloseContext = createContext<() => void>(() => {})

/** Closes the window this stands in, as Esc does: what would be lost is asked about first. */
export function useCloseDialog(): () => void {
  return useContext(CloseContext)
}

/**
 * A window over the page, in the browser's own dialog, which holds the focus inside. Closed, it gives the focus back to
 * where it was. Render it only while it is open.
 */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
  drawer = false,
  bare = false,
  loses,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  wide?: boolean
  /** At the right edge of the window, as high as it. */
  drawer?: boolean
  /** Without a heading to see: its content has its own way out. */
  bare?: boolean
  /** What is gone for good once it is closed, such as a key shown once. It is asked about before. */
  loses?: string
}) {
  const element = useRef<HTMLDialogElement>(null)
  const isWritten = useWritten(element)
  const [asking, setAsking] = useState(false)
  const id = useId()
  function close() {
    if (loses !== undefined || isWritten()) setAsking(true)
    else onClose()
  }
  useOpen(element)
  const leave = useWaysOut(element, close)
  return (
    <dialog
      ref={element}
      className={`dialog ${wide ? 'wide' : ''} ${drawer ? 'drawer' : ''} ${bare ? 'bare' : ''}`}
      aria-labelledby={id}
    >
      <div className="dialog-body">
        <header className={bare ? 'unseen' : 'dialog-head'}>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {!bare && <IconButton label={t('Close')} icon="close" onClick={leave} />}
        </header>
        <CloseContext value={leave}>{children}</CloseContext>
        {asking && <Question sentence={loses ?? UNSAVED} onStay={() => setAsking(false)} onLeave={onClose} />}
      </div>
      <div className="dialog-overlays" />
    </dialog>
  )
}

function Question({ sentence, onStay, onLeave }: { sentence: string; onStay: () => void; onLeave: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('button')?.focus(), [])
  return (
    <div className="dialog-question" role="alert" ref={box}>
      <p>{sentence}</p>
      <div className="row">
        <Button onClick={onStay}>{t('Go back')}</Button>
        <Button look="danger" onClick={onLeave}>
          {t('Close anyway')}
        </Button>
      </div>
    </div>
  )
}

/** Opened before it is painted and closed before it is removed, so that focus returns to the opener. */
function useOpen(element: { current: HTMLDialogElement | null }): void {
  useLayoutEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    if (dialog && !dialog.open) {
      dialog.showModal()
      // Focuses the first field of a form; otherwise the heading, so that a menu is not scrolled down.
      const first =
        dialog.querySelector<HTMLElement>(':is(form :is(input, [role=combobox], textarea), [data-search])') ??
        dialog.querySelector('h2')
      first?.focus()
    }
    return () => {
      dialog?.close()
      restoreFocus(opener)
    }
  }, [element])
}

/** What opened the window may be gone by now, such as the row that was deleted; then the page has the focus. */
function restoreFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
  const lost = () => document.activeElement === null || document.activeElement === document.body
  const page = () => document.getElementById('main')?.focus({ preventScroll: true })
  for (const later_ms of [0, 500, 1_500]) setTimeout(() => lost() && page(), later_ms)
}

/** Esc, a click beside the window, and the back button of a phone; and the same for a button. */
function useWaysOut(element: { current: HTMLDialogElement | null }, close: () => void): () => void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  const leave = useCallback(() => latest.current(), [])
  useEffect(() => {
    const dialog = element.current
    if (!dialog) return
    let pressed: EventTarget | null = null
    const press = (event: Event) => void (pressed = event.target)
    // A text marked with the mouse may end outside: only what also began there is a click beside the window.
    const click = (event: Event) => event.target === dialog && pressed === dialog && leave()
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isInOverlay(event.target)) return
      // The browser would close the dialog on a second Esc even if the first was prevented.
      event.preventDefault()
      leave()
    }
    const cancel = (event: Event) => {
      event.preventDefault()
      leave()
    }
    dialog.addEventListener('pointerdown', press)
    dialog.addEventListener('click', click)
    dialog.addEventListener('keydown', escape)
    dialog.addEventListener('cancel', cancel)
    return () => {
      dialog.removeEventListener('pointerdown', press)
      dialog.removeEventListener('click', click)
      dialog.removeEventListener('keydown', escape)
      dialog.removeEventListener('cancel', cancel)
    }
  }, [element, leave])
  return leave
}

/** A list or calendar over the window closes first. */
function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.dialog-overlays') !== null
}

/** Asks for confirmation before an irreversible action, and carries it out. It closes when that has succeeded. */
export function Confirm<Answer>({
  title,
  children,
  action,
  keep,
  write,
  stale,
  onDone,
  onClose,
}: {
  title: string
  children: ReactNode
  /** The verb on the button, such as "Revoke the key". */
  action: string
  /** The button that changes nothing, such as "Keep the key": "Cancel" could be taken for the action. */
  keep: string
  write: () => Promise<Answer>
  /** The paths that are read again afterwards. */
  stale?: readonly Beginning[] | undefined
  onDone?: ((answer: Answer) => void) | undefined
  onClose: () => void
}) {
  const { mutate, isPending, error } = useWrite(write, stale)
  function done(answer: Answer) {
    onClose()
    onDone?.(answer)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {children}
        {error && <Refused error={error} />}
      </div>
      <div className="form-actions">
        <Button look="danger" busy={isPending} onClick={() => mutate(undefined, { onSuccess: done })}>
          {action}
        </Button>
        <Button onClick={onClose}>{keep}</Button>
      </div>
    </Dialog>
  )
}

/** The second button of a form in a window. */
export function CloseButton({ children = t('Close') }: { children?: ReactNode }) {
  const close = useCloseDialog()
  return <Button onClick={close}>{children}</Button>
}
