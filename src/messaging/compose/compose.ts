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
 * Checks a request and composes the message. `shape_faults` are the faults that schema validation found: their fields are
 * not checked again, and all faults are reported together.
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
  /** The template that the text was already made of. */
  made_of?: TemplateRef | undefined
  /** An id that the caller has already returned to its client. */
  id?: string | undefined
  /** The content is binary (`BinaryText`). */
  is_binary?: boolean | undefined
}

/** The fields of a message that are not in its plan. */
export type DraftFacts = Pick<Partial<SendBody>, 'personalisation' | 'external_ref' | 'is_trackable' | 'callback'> & {
  id: string
  made_of?: TemplateRef | undefined
}

/** Completes a plan with link codes and send times: the draft is ready to be charged. */
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
    // If all recipients get the same text, the content is that text after smart encoding.
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

/** The texts of all recipients, each with its own code for every link. */
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
    if (n > 0 && n % TEXTS_PER_ITERATION === 0) await new Promise(setImmediate)
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

const TEXTS_PER_ITERATION = 1_000
