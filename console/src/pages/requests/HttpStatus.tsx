import { Badge, type Tone } from '../../ui/Badge.tsx'

/** The HTTP status of an answer, with a colour that repeats what it means. */
export function HttpStatus({ status }: { status: number }) {
  return <Badge status={String(status)} tone={toneOf(status)} />
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}
