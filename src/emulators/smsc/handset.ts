import { decodeText } from '../../carriers/codec/decode-text.ts'
import type { TextProfile } from '../../carriers/codec/page-form.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { joinSegments } from '../../carriers/codec/join-segments.ts'
import type { DataSm, SubmitSm } from '../../carriers/codec/pdu.ts'

/** The emulated handsets: join segments, in any order, to the texts that are displayed. */
export function makeHandsets(alphabet: TextProfile['alphabet'], remember: number): Handsets {
  const shown: ShownText[] = []
  // By sender, receiver and reference, as on a handset.
  const incomplete = makeBoundedCache<string, (string | undefined)[]>(MAX_INCOMPLETE)

  function receive(sm: SubmitSm | DataSm): string {
    const { source_addr: from, destination_addr: to } = sm
    const { text, concatenation } = decodeText(sm, alphabet)
    if (concatenation === null) show({ from, to, text, segments: 1 })
    else {
      const { reference, total, segment } = concatenation
      const key = `${from} ${to} ${reference} ${total}`
      const segments = incomplete.get(key) ?? Array.from<string | undefined>({ length: total })
      segments[segment - 1] = text
      incomplete.set(key, segments)
      const known = segments.filter((one) => one !== undefined)
      if (known.length === total) {
        incomplete.delete(key)
        show({ from, to, text: joinSegments(known, total), segments: total })
      }
    }
    return text
  }

  let onShow: ((text: ShownText) => void) | null = null
  function show(text: ShownText): void {
    shown.push(text)
    if (shown.length > remember) shown.splice(0, Math.ceil(remember / 10))
    onShow?.(text)
  }

  return {
    receive,
    shown,
    get incomplete() {
      return incomplete.size
    },
    watch: (watcher) => void (onShow = watcher),
  }
}

export type ShownText = { from: string; to: string; text: string; segments: number }

export type Handsets = {
  /** Returns the text of this segment. */
  receive(sm: SubmitSm | DataSm): string
  /** Oldest first; a text that was received twice is listed twice. */
  readonly shown: readonly ShownText[]
  /** Texts with missing segments. */
  readonly incomplete: number
  watch(watcher: (text: ShownText) => void): void
}

const MAX_INCOMPLETE = 10_000
