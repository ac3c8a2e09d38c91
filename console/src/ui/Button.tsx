import { createContext, useContext, useId, type ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** A button is disabled with a reason, which is shown. */
type Shared = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'aria-describedby'> & {
  /** Why it cannot be used now; empty if a button beside it says the same. */
  blocked?: string | undefined
}

type ButtonProps = Shared & {
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
  blocked,
  changes = CHANGES.includes(look),
  children,
  className,
  ...rest
}: ButtonProps) {
  const read_only = useContext(ReadOnly)
  const why = useId()
  if (read_only && changes) return null
  return (
    <>
      <button
        type="button"
        {...rest}
        className={`button ${look} ${className ?? ''}`}
        disabled={blocked !== undefined || busy}
        aria-busy={busy || undefined}
        aria-describedby={blocked ? why : undefined}
      >
        {icon && <Icon name={icon} />}
        {children}
      </button>
      {blocked && (
        <span id={why} className="soft small button-why">
          {blocked}
        </span>
      )}
    </>
  )
}

/** A button that is only a picture; the label is what a screen reader says and a mouse shows, with why it is disabled. */
export function IconButton({
  label,
  icon,
  blocked,
  busy = false,
  changes = false,
  ...rest
}: Shared & { label: string; icon: IconName; busy?: boolean; changes?: boolean }) {
  const read_only = useContext(ReadOnly)
  if (read_only && changes) return null
  const title = blocked === undefined ? label : `${label}: ${blocked}`
  return (
    <button
      type="button"
      {...rest}
      className={`icon-button ${rest.className ?? ''}`}
      disabled={blocked !== undefined || busy}
      aria-label={title}
      title={title}
    >
      <Icon name={icon} />
    </button>
  )
}
