import { useMemo } from 'react'
import { qrCode, type Modules } from '../qr/qr.ts'

/** Readers want this much white around it. */
const QUIET = 4

/**
 * A code to point a phone at; nothing, where the text is too long for one. Dark on white in dark colours, too: many
 * readers know no other.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => qrCode(text), [text])
  if (!modules) return null
  const size = modules.length + 2 * QUIET
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={pathOf(modules)} />
    </svg>
  )
}

/** A flat rectangle for each run of dark modules in a row. */
function pathOf(modules: Modules): string {
  const runs = modules.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '1' : '0')).join('')
    return [...line.matchAll(/1+/g)].map(({ index, 0: run }) => {
      return `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`
    })
  })
  return runs.join('')
}
