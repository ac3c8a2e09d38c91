import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { ComposeDeps } from '../../messaging/compose/deps.ts'
import { planSlice } from '../../messaging/compose/slice.ts'
import { joinLinks } from '../../messaging/compose/texts.ts'
import type { Sender } from '../../messaging/draft.ts'
import { ANY_CODE } from '../../messaging/links/codes.ts'
import { Refusal } from '../../values/refusal.ts'
import { textFor } from '../draft/shares.ts'
import { personOf, wordsOf, type SliceEntry } from '../message.ts'
import { readPeople, type Person } from '../people.ts'
import { quietHoursOf } from '../quiet.ts'
import { endGathering, refuseCampaign } from '../state-store.ts'
import type { CampaignRow } from '../store.ts'
import { storeStep } from './gather-store.ts'
import type { Left, Reached } from './totals.ts'

export type GatherDeps = ComposeDeps & { db: Db }

/**
 * Computes and stores the next step of a campaign's estimate: recipients, composed texts, charges, and who is left out
 * and why. The step is stored with the position behind it, so an interrupted step is repeated and a concurrent one is
 * discarded.
 */
export async function gatherStep(deps: GatherDeps, sender: Sender, campaign: CampaignRow): Promise<void> {
  const { organisation_id } = sender
  try {
    const { people, place } = await readPeople(deps, sender, campaign)
    if (place === undefined) return await endGathering(deps.db, organisation_id, campaign)
    const { reached, left } = await composeTexts(deps, sender, campaign, people)
    await transaction(deps.db, (tx) =>
      storeStep(tx, organisation_id, campaign, { rows: people.length, place, reached, left }),
    )
  } catch (fault) {
    if (!(fault instanceof Refusal) || (fault.code !== 'conflict' && fault.code !== 'invalid_request')) throw fault
    const sentence = fault.faults[0]?.message ?? fault.message
    await refuseCampaign(deps.db, organisation_id, campaign, sentence)
  }
}

async function composeTexts(
  deps: GatherDeps,
  sender: Sender,
  campaign: CampaignRow,
  people: readonly Person[],
): Promise<{ reached: Reached[]; left: Left[] }> {
  const left: Left[] = []
  const reached: Reached[] = []
  const shares = campaign.texts.map(({ share }) => share)
  const by_text = campaign.texts.map(() => new Map<string, Person>())
  for (const person of people) {
    const { written, recipient } = person
    if (recipient === undefined) {
      left.push({ written, reason: written === '' ? 'no_number' : 'bad_number' })
      continue
    }
    const own = by_text[textFor(shares, campaign.id, recipient)]
    if (own?.has(recipient)) left.push({ written: recipient, reason: 'twice' })
    else own?.set(recipient, person)
  }
  const by_country = quietHoursOf(campaign, sender) !== undefined
  for (const [n, text] of campaign.texts.entries()) {
    const words = wordsOf(campaign, text, sender)
    const entries = Array.from(by_text[n] ?? [], ([recipient, { valueOf }]): SliceEntry => {
      return [recipient, ...words.names.map((name) => valueOf(name) ?? null)]
    })
    if (entries.length === 0) continue
    const entry_of = new Map(entries.map((entry) => [entry[0], entry]))
    const found = await planSlice(
      deps,
      sender,
      words,
      entries.map((entry) => personOf(words.names, entry)),
    )
    const { priced, texts, track_at } = found.plan
    for (const [written, reason] of found.left_out) left.push({ written, reason })
    for (const [place, { recipient, charge, pages }] of priced.entries()) {
      const written = texts.of(place)
      reached.push({
        entry: entry_of.get(recipient) ?? [recipient],
        text_number: n,
        country: by_country ? deps.numbers.table.originOf(recipient).country : '',
        encoding: written.size.encoding,
        pages,
        charge,
        text: () => joinLinks(written, () => (track_at ?? '') + ANY_CODE),
      })
    }
  }
  return { reached, left }
}
