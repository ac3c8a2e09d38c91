import { present } from '../../values/record.ts'
import { at, shortText } from '../vendor-values.ts'
import type { ReceivedText } from '../message-carrier.ts'
import { RECEIVED_TYPES, type ReceivedContent, type ReceivedType } from './content-schema.ts'
import { listAt } from './graph.ts'

const LONGEST_TEXT = 4_096
const LONGEST_CHOICE = 256
const LONGEST_NAME = 200
const LONGEST_EMOJI = 40
/** A person may share their whole address book: what is beyond these is left out. */
const MAX_CONTACTS = 20
const MAX_DETAILS = 5
const LONGEST_DETAIL = 320
const LONGEST_PHONE = 30

/** What a person wrote, chose or shared. Values that do not fit Meta's description are left out. */
export function readReceived(message: unknown): Pick<ReceivedText, 'text' | 'whatsapp' | 'replied_id'> {
  const content = contentOf(message)
  const replied_id = shortText(at(message, 'reaction', 'message_id')) ?? shortText(at(message, 'context', 'id'))
  return { text: textOf(message, content), whatsapp: content, ...present('replied_id', replied_id) }
}

function contentOf(message: unknown): ReceivedContent {
  const type = shortText(at(message, 'type')) ?? ''
  switch (type) {
    case 'button': {
      const title = written(LONGEST_CHOICE, at(message, 'button', 'text'))
      const id = written(LONGEST_CHOICE, at(message, 'button', 'payload')) ?? title
      return title === undefined || id === undefined
        ? UNSUPPORTED
        : { type: 'button_reply', button_reply: { id, title } }
    }
    case 'interactive':
      return interactiveOf(at(message, 'interactive'))
    case 'location':
      return locationOf(at(message, 'location'))
    case 'contacts': {
      const contacts = listAt(message, 'contacts').slice(0, MAX_CONTACTS).flatMap(contactOf)
      return { type: 'contacts', ...present('contacts', listed(contacts)) }
    }
    case 'reaction':
      // Without an emoji, the reaction was removed.
      return { type: 'reaction', reaction: written(LONGEST_EMOJI, at(message, 'reaction', 'emoji')) ?? '' }
    default:
      return isReceivedType(type) ? { type } : UNSUPPORTED
  }
}

const UNSUPPORTED: ReceivedContent = { type: 'unsupported' }

function isReceivedType(type: string): type is ReceivedType {
  return RECEIVED_TYPES.some((one) => one === type)
}

/** The reply to buttons or a list. Answers to flows are not supported. */
function interactiveOf(interactive: unknown): ReceivedContent {
  for (const type of ['button_reply', 'list_reply'] as const) {
    const given = at(interactive, type)
    const id = written(LONGEST_CHOICE, at(given, 'id'))
    const title = written(LONGEST_CHOICE, at(given, 'title'))
    if (id === undefined || title === undefined) continue
    if (type === 'button_reply') return { type, button_reply: { id, title } }
    const description = written(LONGEST_CHOICE, at(given, 'description'))
    return { type, list_reply: { id, title, ...present('description', description) } }
  }
  return UNSUPPORTED
}

function locationOf(given: unknown): ReceivedContent {
  const [latitude, longitude] = [at(given, 'latitude'), at(given, 'longitude')]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return { type: 'location' }
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return { type: 'location' }
  const name = written(LONGEST_NAME, at(given, 'name'))
  const address = written(LONGEST_NAME, at(given, 'address'))
  return {
    type: 'location',
    location: {
      latitude,
      longitude,
      ...present('name', name),
      ...present('address', address),
    },
  }
}

type Contact = NonNullable<ReceivedContent['contacts']>[number]

/** One without a name is left out. */
function contactOf(given: unknown): Contact[] {
  const part = (name: string) => written(LONGEST_NAME, at(given, 'name', name))
  const [formatted_name, first_name, last_name] = [part('formatted_name'), part('first_name'), part('last_name')]
  if (formatted_name === undefined) return []
  const phones = listAt(given, 'phones')
    .slice(0, MAX_DETAILS)
    .flatMap((one) => {
      const [phone, type, wa_id] = ['phone', 'type', 'wa_id'].map((key) => written(LONGEST_PHONE, at(one, key)))
      if (phone === undefined) return []
      return [{ phone, ...present('type', type), ...present('wa_id', wa_id) }]
    })
  const emails = listAt(given, 'emails')
    .slice(0, MAX_DETAILS)
    .flatMap((one) => {
      const email = written(LONGEST_DETAIL, at(one, 'email'))
      const type = written(LONGEST_PHONE, at(one, 'type'))
      return email === undefined ? [] : [{ email, ...present('type', type) }]
    })
  return [
    {
      name: {
        formatted_name,
        ...present('first_name', first_name),
        ...present('last_name', last_name),
      },
      ...present('phones', listed(phones)),
      ...present('emails', listed(emails)),
    },
  ]
}

function listed<T>(items: readonly T[]): T[] | undefined {
  return items.length === 0 ? undefined : [...items]
}

function textOf(message: unknown, content: ReceivedContent): string {
  const caption = at(message, shortText(at(message, 'type')) ?? '', 'caption')
  return written(LONGEST_TEXT, at(message, 'text', 'body')) ?? written(LONGEST_TEXT, caption) ?? wordsOf(content)
}

/** The text of what has none: what was chosen, the name of the place or person, or the type in brackets. */
export function wordsOf({ type, button_reply, list_reply, location, contacts, reaction }: ReceivedContent): string {
  const chosen = button_reply?.title ?? list_reply?.title
  return chosen ?? location?.name ?? contacts?.[0]?.name.formatted_name ?? (reaction || `[${type}]`)
}

/** A text that can be stored: no column holds NUL characters, and JSON no halves of characters. */
function written(most: number, text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const clean = text.slice(0, most).replaceAll('\u0000', '').toWellFormed()
  return clean === '' ? undefined : clean
}
