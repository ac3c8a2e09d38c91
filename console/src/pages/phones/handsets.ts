import { useMemo, useState } from 'react'
import type { SandboxMessage, InboundMessage } from '../../../../clients/typescript/src/types.ts'
import type { ApiError } from '../../api.ts'
import { useLive } from '../../live.ts'
import { useRead, useRefresh } from '../../read.ts'
import { t } from '../../text/text.ts'
import { phoneText } from '../../ui/Phone.tsx'
import type { Content, ReceivedFile } from '../../ui/whatsapp/content.ts'

/** What is on a handset's screen: what came in, and what its owner answered. */
export type Bubble = Omit<SandboxMessage, 'channel' | 'message_id' | 'whatsapp'> & {
  channel: string
  /** The message, to answer it; of what its owner wrote, the text. */
  message_id: string
  whatsapp?: Content | undefined
  /** The file that its owner sent. */
  media?: ReceivedFile | undefined
  mine?: boolean
}

/** `sent_id`: the file that was just sent from here, which its receiver may still be downloading. */
export function bubbleOf(received: InboundMessage, sent_id?: string): Bubble {
  const { id, from, to, channel, text, whatsapp, media, created_datetime } = received
  const about = { id, message_id: id, recipient: from, sender_id: to, channel, text, created_datetime, mine: true }
  const file = media && sent_id !== undefined ? { ...media, id: sent_id, state: 'stored' as const } : media
  return { ...about, ...(whatsapp ? { whatsapp } : {}), ...(file ? { media: file } : {}) }
}

export type Shown = { number: string; bubbles: Bubble[] }

const PATH = '/sandbox/messages'
const REPLIES = '/inbound'
const NEWEST = 300
const ON_A_SCREEN = 40

type Handsets = {
  /** The one that something arrived on last comes first. */
  handsets: Shown[]
  /** Announcement of an incoming message for screen readers. */
  arrived: string
  error: ApiError | null
  loading: boolean
  /** Puts an empty phone on the shelf. */
  add: (number: string) => void
  /** Puts an answer of the phone's owner on its screen. */
  put: (bubble: Bubble) => void
}

/** Handsets from the messages that were read and those that arrived since. */
export function useHandsets(): Handsets {
  // What arrived during a previous visit is not in the lists as they were read then.
  const found = useRead(`${PATH}?limit=${NEWEST}`, { anew: true })
  const replies = useRead(`${REPLIES}?limit=${NEWEST}`, { anew: true })
  const refresh = useRefresh()
  const [live, setLive] = useState<readonly Bubble[]>([])
  const [added, setAdded] = useState<readonly string[]>([])
  const [arrived, setArrived] = useState('')
  const put = (bubble: Bubble) => setLive((all) => [...all.slice(-NEWEST), bubble])
  useLive({
    hello: () => refresh(PATH),
    phone: (message) => {
      put(message)
      setArrived(arrivedSentence(message))
    },
  })
  const messages = found.data?.messages
  const inbound = replies.data?.inbound
  const handsets = useMemo(
    () => shelve([...(messages ?? []), ...(inbound ?? []).map((one) => bubbleOf(one))], live, added),
    [messages, inbound, live, added],
  )
  return {
    handsets,
    arrived,
    error: found.error,
    loading: found.isPending || replies.isPending,
    add: (number) => setAdded((all) => [number, ...all.filter((each) => each !== number)]),
    put,
  }
}

function arrivedSentence({ sender_id, recipient }: Bubble): string {
  const phone = phoneText(recipient)
  if (sender_id === undefined) return t('A message without a sender arrived at {phone}.', { phone })
  return t('A message from {sender} arrived at {phone}.', { sender: sender_id, phone })
}

/** Whether the handset matches the search: part of its number, a sender or a text. */
export function fits({ number, bubbles }: Shown, search: string): boolean {
  const text = search.trim().toLowerCase()
  if (text === '') return true
  const digits = text.replace(/\D/g, '').replace(/^0/, '')
  if (digits.length >= 2 && /^[+\d\s()-]+$/.test(text)) return number.includes(digits)
  return bubbles.some((bubble) => `${bubble.sender_id ?? ''} ${bubble.text}`.toLowerCase().includes(text))
}

function shelve(read: readonly Bubble[], live: readonly Bubble[], added: readonly string[]): Shown[] {
  const bubbles = new Map<string, Bubble>()
  for (const bubble of [...read, ...live]) bubbles.set(bubble.id, bubble)
  const sorted = [...bubbles.values()].sort((a, b) => (a.created_datetime < b.created_datetime ? -1 : 1))
  const by_number = new Map<string, Bubble[]>(added.map((number) => [number, []]))
  for (const bubble of sorted) {
    const screen = by_number.get(bubble.recipient)
    if (screen) screen.push(bubble)
    else by_number.set(bubble.recipient, [bubble])
  }
  return [...by_number]
    .map(([number, all]) => ({ number, bubbles: all.slice(-ON_A_SCREEN) }))
    .sort((a, b) => rank(b, added) - rank(a, added))
}

/** The moment of the last arrival; a phone just put up stands in front until something else arrives. */
function rank({ number, bubbles }: Shown, added: readonly string[]): number {
  const last = bubbles.findLast(({ mine }) => !mine)
  if (last) return Date.parse(last.created_datetime)
  return added.includes(number) ? Number.MAX_SAFE_INTEGER - added.indexOf(number) : 0
}
