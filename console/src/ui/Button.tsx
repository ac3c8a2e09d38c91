import { createContext, useContext, type ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './Icon.tsx'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /**
   * `main` once per view, `plain` for all else, `danger` for what cannot be undone, `bare` within text and tables,
   * `remove` within tables for what takes something away.
   */
  look?: 'main' | 'plain' | 'danger' | 'bare' | 'remove'
  icon?: IconName
  /** The action is in progress: the button is disabled and shows it. */
  busy?: boolean
  /** Whether it changes something; `main`, `danger` and `remove` do. */
  changes?: boolean
}

/** Whether the user may only read the page: what changes something is hidden, and forms show values. */
export const ReadOnly = createContext(false)

const CHANGES = ['main', 'danger', 'remove']

export function Button({
  look = 'plain',
  icon,
  busy = false,
  changes = CHANGES.includes(look),
  children,
  disabled,
  className,
  ...rest
}: ButtonProps) {
  const read_only = useContext(ReadOnly)
  if (read_only && changes) return null
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look} ${className ?? ''}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that is only a picture; the label is what a screen reader says and a mouse shows. */
export function IconButton({
  label,
  icon,
  changes = false,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; icon: IconName; changes?: boolean }) {
  if (useContext(ReadOnly) && changes) return null
  return (
    <button type="button" {...rest} className={`icon-button ${rest.className ?? ''}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  )
}
