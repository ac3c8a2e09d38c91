import {
  BULK_FROM,
  PRIORITY,
  type Draft,
  type DraftDelivery,
  type DraftLink,
  type Sender,
  type TemplateRef,
} from '../draft.ts'
import type { ComposeDeps } from './deps.ts'
import { newId } from '../../values/id.ts'
import type { Fault } from '../../values/refusal.ts'
import { planMessage, type Plan } from './plan.ts'
import { joinLinks, type Texts } from './texts.ts'
import { drawCodes } from '../links/codes.ts'
import { setTimes } from '../schedule/schedule.ts'
import type { SendBody } from '../schema.ts'

/**
 * Checks a request and works the message out. `shape_faults` are what its schema found: fields they name are not
 * looked at again, and all faults are told at once.
 */
export async function compose(
  deps: ComposeDeps,
  sender: Sender,
  body: Partial<SendBody>,
  shape_faults: readonly Fault[],
  { made_of, id = newId(), is_binary = false }: ComposeOptions = {},
): Promise<Draft> {
  const plan = await planMessage(deps, sender, body, shape_faults, is_binary)
  const draft = await draftOf(deps, sender, plan, { ...body, id, made_of })
  return is_binary ? { ...draft, encoding: 'binary' } : draft
}

export type ComposeOptions = {
  /** The template that the text was made of already. */
  made_of?: TemplateRef | undefined
  /** The caller's, where it had to tell one before. */
  id?: string | undefined
  /** The content is no text (`BinaryText`). */
  is_binary?: boolean | undefined
}

/** What of a message its plan does not know. */
export type DraftFacts = Pick<Partial<SendBody>, 'personalisation' | 'external_ref' | 'is_trackable' | 'callback'> & {
  id: string
  made_of?: TemplateRef | undefined
}

/** Draws the codes of its links and says when each delivery goes: then it is ready to be charged. */
export async function draftOf(
  deps: ComposeDeps,
  sender: Sender,
  plan: Plan,
  { id, made_of, ...body }: DraftFacts,
): Promise<Draft> {
  const { source, texts, priced } = plan
  const tracked = texts.shared ? texts.of(0).urls.length > 0 : priced.some((_, n) => texts.of(n).urls.length > 0)
  const own = tracked || !texts.shared ? await ownTexts(deps, id, plan, tracked) : undefined
  const deliveries = setTimes(deps, sender, plan, own?.deliveries ?? priced)
  return {
    id,
    channel: plan.channel,
    sender_id: plan.sender_id,
    // Where all get the same it is what they get, look-alikes and all.
    content: own ? source.content : sharedText(texts),
    template: source.template ?? made_of,
    personalisation: body.personalisation?.map(({ to, substitutions }) => ({ to, substitutions })),
    external_ref: body.external_ref,
    is_trackable: body.is_trackable ?? false,
    callback: body.callback,
    send_at: plan.send_at,
    ...plan.size,
    charge: plan.charge,
    priority: priced.length < BULK_FROM ? PRIORITY.single : PRIORITY.bulk,
    deliveries,
    ...(own && own.links.length > 0 ? { links: own.links } : {}),
  }
}

function sharedText(texts: Texts): string {
  return joinLinks(texts.of(0), (url) => url)
}

/** Gives every recipient a code of their own for every link. */
async function ownTexts(
  deps: ComposeDeps,
  message_id: string,
  { texts, priced, track_at }: Plan,
  tracked: boolean,
): Promise<{ deliveries: DraftDelivery[]; links: DraftLink[] }> {
  const links: DraftLink[] = []
  const wanted = priced.map((_, n) => [...new Set(texts.of(n).urls)])
  const codes = tracked
    ? await drawCodes(
        deps,
        wanted.reduce((sum, { length }) => sum + length, 0),
      )
    : []
  const deliveries: DraftDelivery[] = []
  for (const [n, delivery] of priced.entries()) {
    if (n > 0 && n % TEXTS_PER_TURN === 0) await new Promise(setImmediate)
    const { recipient } = delivery
    const code_of = new Map<string, string>()
    for (const [position, url] of (wanted[n] ?? []).entries()) {
      const code = codes[links.length] ?? ''
      code_of.set(url, code)
      links.push({ code, message_id, recipient, position, url })
    }
    deliveries.push({ ...delivery, text: joinLinks(texts.of(n), (url) => `${track_at}${code_of.get(url)}`) })
  }
  return { deliveries, links }
}

const TEXTS_PER_TURN = 1_000
