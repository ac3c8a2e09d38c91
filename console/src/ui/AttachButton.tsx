import { useRef, type InputHTMLAttributes } from 'react'
import { t } from '../text/text.ts'
import { Button, IconButton } from './Button.tsx'

const UNLABELLED = { 'aria-label': t('File to attach') }

/** A button that chooses a file, in the language of the console: that of a file input has the browser's. */
export function AttachButton({
  attachment,
  label = t('Attach a file'),
  icon_only = false,
  control = UNLABELLED,
}: {
  attachment: { attach: (file: File) => void }
  label?: string
  icon_only?: boolean
  control?: InputHTMLAttributes<HTMLInputElement>
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        {...control}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same file can be chosen again.
          currentTarget.value = ''
          if (file) attachment.attach(file)
        }}
      />
      {icon_only ? (
        <IconButton label={label} icon="import" onClick={() => input.current?.click()} />
      ) : (
        <Button icon="import" onClick={() => input.current?.click()}>
          {label}
        </Button>
      )}
    </>
  )
}
