import { isShown } from '../../carriers/simulator/store.ts'
import type { ReceivedContent } from '../../carriers/whatsapp/content-schema.ts'
import { wordsOf } from '../../carriers/whatsapp/read-received.ts'
import type { Db } from '../../db/connect.ts'
import { isEmoji } from '../../values/emoji.ts'
import { isId, newId } from '../../values/id.ts'
import { checkStorableIn } from '../../values/input/storable.ts'
import { cleanDigits, cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { shownInbound } from './read.ts'
import { fileFromHandset, HANDSETS, type HandsetFile } from './handset-files.ts'
import { keepTexts, type InboundDeps } from './receive.ts'
import type { HandsetContent, InboundMessage, ReplyBody } from './schema.ts'
import { findInbound } from './store.ts'

/** A reply from a virtual handset. The caller's organisation receives it, so alphanumeric senders can be replied to. */
export async function replyFromHandset(
  deps: InboundDeps,
  { organisation_id, default_country }: { organisation_id: string; default_country: string },
  body: Partial<ReplyBody>,
  shape_faults: readonly Fault[],
): Promise<InboundMessage> {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field.replace(/[[.].*/, '')))
  const raw = misshapen.has('from') ? undefined : body.from
  const plan = dialPlan(default_country)
  const from = raw === undefined ? undefined : cleanPhone(raw, plan)
  if (raw !== undefined && from === undefined) {
    faults.push({ field: 'from', message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  const { channel = 'sms' } = body
  const whatsapp = misshapen.has('whatsapp') ? undefined : body.whatsapp
  const content = whatsapp && (await readContent(deps, organisation_id, { ...whatsapp }, { channel, from }, faults))
  const media_id = misshapen.has('media_id') ? undefined : body.media_id
  const file = media_id === undefined ? undefined : await readFile(deps, organisation_id, { ...body, channel }, faults)
  const has_words = body.text !== undefined || KINDS.some((kind) => whatsapp?.[kind] !== undefined)
  if (!has_words && body.media_id === undefined && !misshapen.has('text') && !misshapen.has('whatsapp')) {
    faults.push({ field: 'text', message: 'A text, `whatsapp` or `media_id` is required.', type: 'missing' })
  }
  for (const field of ['to', 'text'] as const) {
    if (misshapen.has(field) || !body[field]?.includes('\u0000')) continue
    faults.push({ field, message: 'This value holds a NUL character.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const { to = '' } = body
  const shown = file ? { ...content, type: file.kind } : content
  const received = {
    carrier: HANDSETS,
    from: from ?? '',
    to: cleanDigits(to, plan) ?? to.trim(),
    text: body.text ?? (shown ? wordsOf(shown) : ''),
    channel,
    received_id: newId(),
    ...(channel === 'whatsapp' ? { whatsapp: shown ?? { type: 'text' as const } } : {}),
    ...(file ? { media: file.media } : {}),
  }
  const [row] = await keepTexts(deps, organisation_id, [received])
  if (!row) throw new Error('a text with a new id was already stored')
  return shownInbound(row)
}

const KINDS = ['button_reply', 'list_reply', 'location', 'contacts', 'reaction'] as const

/** What a handset sends besides a text, checked: a handset can only refer to what it shows or has sent. */
async function readContent(
  { db }: Pick<InboundDeps, 'db'>,
  organisation_id: string,
  given: HandsetContent,
  { channel, from }: { channel: string; from: string | undefined },
  faults: Fault[],
): Promise<ReceivedContent | undefined> {
  const before = faults.length
  const add = (field: string, message: string, type: Fault['type'] = 'invalid') => {
    faults.push({ field: `whatsapp${field}`, message, type })
  }
  const kinds = KINDS.filter((kind) => given[kind] !== undefined)
  const [type = 'text'] = kinds
  const { reply_to, reaction } = given
  if (channel !== 'whatsapp') add('', 'This is for the channel `whatsapp` only.')
  if (kinds.length > 1) add('', `A text is at most one of these: ${kinds.join(', ')}.`)
  if (reaction !== undefined && reaction !== '' && !isEmoji(reaction)) add('.reaction', 'This is not an emoji.')
  if (reaction !== undefined && reply_to === undefined) add('.reply_to', 'A reaction is to a message.', 'missing')
  checkStorableIn('', given, add)
  if (reply_to !== undefined && from !== undefined && !(await isOnHandset(db, organisation_id, reply_to, from))) {
    add('.reply_to', 'This handset shows no such message.', 'not_found')
  }
  return faults.length > before ? undefined : { type, ...given }
}

/** A file that a handset sends instead of the other kinds, with a caption unless it is a recording or a sticker. */
async function readFile(
  { db }: Pick<InboundDeps, 'db'>,
  organisation_id: string,
  { media_id = '', channel, text, whatsapp }: Partial<ReplyBody>,
  faults: Fault[],
): Promise<HandsetFile | undefined> {
  const add = (message: string, type: Fault['type'] = 'invalid') => {
    faults.push({ field: 'media_id', message, type })
  }
  const before = faults.length
  if (channel !== 'whatsapp') add('This is for the channel `whatsapp` only.')
  if (KINDS.some((kind) => whatsapp?.[kind] !== undefined)) add('A text is either a file or what `whatsapp` says.')
  const file = await fileFromHandset(db, organisation_id, media_id)
  if (!file) add('There is no such file.', 'not_found')
  else if (file.kind === undefined) add('WhatsApp does not take files of this type.')
  else if (text !== undefined && WITHOUT_CAPTION.has(file.kind)) add('Recordings and stickers have no text.')
  return faults.length === before && file?.kind !== undefined ? { ...file, kind: file.kind } : undefined
}

const WITHOUT_CAPTION: ReadonlySet<string> = new Set(['audio', 'sticker'])

async function isOnHandset(db: Db, organisation_id: string, id: string, phone: string): Promise<boolean> {
  if (!isId(id)) return false
  if (await isShown(db, organisation_id, { message_id: id, recipient: phone })) return true
  return (await findInbound(db, organisation_id, id))?.from === phone
}
