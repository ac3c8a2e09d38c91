import { useState } from 'react'
import { t } from '../text/text.ts'
import { Icon } from './Icon.tsx'

const SHOWN_MS = 1_600

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label = t('Copy') }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button type="button" className="button bare copy" onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? t('Copied') : label}</span>
    </button>
  )
}

/** The clipboard API requires https or localhost and a focused page; otherwise falls back to `execCommand`. */
async function copyText(text: string): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    copyOldWay(text)
  }
}

function copyOldWay(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A piece of code to copy. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <figure className="code" aria-label={label}>
      <CopyButton text={text} />
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
