import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Beginning } from '../answers.ts'
import type { ApiError } from '../api.ts'
import type { KeptDraft } from '../draft.ts'
import { useWrite } from '../read.ts'
import { t } from '../text/text.ts'
import { Button } from './Button.tsx'
import { Code } from './CopyButton.tsx'
import { CloseButton, Dialog, UNSAVED } from './Dialog.tsx'
import { SelectField } from './fields.tsx'
import { Form, FormActions } from './Form.tsx'

/** A window with a form. With `onDone` it closes when the service has taken what was filled in. */
export function FormDialog<Answer>({
  title,
  action,
  write,
  onDone,
  onClose,
  blocked,
  wide = false,
  draft,
  changed = false,
  children,
}: {
  title: string
  /** The verb on the button, such as "Create the key". */
  action: string
  write: UseMutationResult<Answer, ApiError, void>
  onDone?: ((answer: Answer) => void) | undefined
  onClose: () => void
  /** Why it cannot be submitted yet. */
  blocked?: string | undefined
  wide?: boolean
  /** Kept while the page is left or the session ends; forgotten once it is saved, or the window is closed. */
  draft?: KeptDraft | undefined
  /** Something was changed that its fields do not show, such as an order. */
  changed?: boolean
  children: ReactNode
}) {
  const [, , forget, restored] = draft ?? []
  function close() {
    forget?.()
    onClose()
  }
  function done(answer: Answer) {
    if (!onDone) return
    onClose()
    onDone(answer)
  }
  function submit() {
    // The window may be gone when the answer arrives; what was saved is no draft then, either.
    void write.mutateAsync(undefined, { onSuccess: done }).then(
      () => forget?.(),
      () => {},
    )
  }
  return (
    <Dialog title={title} wide={wide} onClose={close} {...(restored || changed ? { loses: UNSAVED } : {})}>
      <Form error={write.error} draft={draft} onSubmit={submit}>
        {children}
        <FormActions>
          <Button look="main" type="submit" busy={write.isPending} blocked={blocked}>
            {action}
          </Button>
          <CloseButton />
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** What is seen only once, with what to do with it. */
export function ShowOnce({
  title,
  text,
  onClose,
  children,
}: {
  title: string
  text: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} wide onClose={onClose} loses={t('This is not shown again. Have you copied it?')}>
      <Code text={text} label={title} />
      <p>{children}</p>
      <FormActions>
        <Button look="main" onClick={onClose}>
          {t('I have copied it')}
        </Button>
      </FormActions>
    </Dialog>
  )
}

const OVERLAPS = [
  { value: '0', label: t('no longer||the old one goes on for') },
  { value: '1', label: t('an hour||the old one goes on for') },
  { value: '24', label: t('a day||the old one goes on for') },
  { value: '168', label: t('a week||the old one goes on for') },
  { value: '720', label: t('thirty days||the old one goes on for') },
]

/** Replaces a secret; the old one stays valid for a while. */
export function Rotate({
  title,
  action,
  ask,
  longest_h,
  stale,
  show,
  onClose,
  children,
}: {
  title: string
  action: string
  ask: (overlap_hours: number) => Promise<{ secret: string }>
  longest_h: number
  stale: Beginning
  show: (secret: string) => ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const [hours, setHours] = useState('24')
  const rotate = useWrite(() => ask(Number(hours)), [stale])
  if (rotate.data) return show(rotate.data.secret)
  return (
    <FormDialog title={title} action={action} write={rotate} onClose={onClose}>
      <p>{children}</p>
      <SelectField
        name="overlap_hours"
        label={t('The old one stays valid for')}
        value={hours}
        onChange={setHours}
        choices={OVERLAPS.filter(({ value }) => Number(value) <= longest_h)}
      />
    </FormDialog>
  )
}
