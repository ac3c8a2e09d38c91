import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { testSend } from '../messaging/dispatch/test-send.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { recordAudit, type Actor } from '../users/audit.ts'
import { newId } from '../values/id.ts'
import { Refusal } from '../values/refusal.ts'
import { messageOf } from '../values/thrown.ts'
import type { ProbeNumber } from '../carriers/phone/probe.ts'
import { noPlan } from './manage.ts'
import { numbersOf, type ProbeNetwork, type ReadNetwork } from './network.ts'
import {
  claimDue,
  listPresent,
  lockCampaignPlans,
  lockPlan,
  movePlan,
  probesCampaigns,
  type PlanRow,
} from './plan-store.ts'
import { nextProbe } from './schedule.ts'
import type { Seed } from './seeds.ts'
import { countOfCampaign, insertProbe, listFree, storeOutcome, type Answered, type NewProbe } from './store.ts'
import { fillContent, fillWording } from './wording.ts'

export type SendDeps = { db: Db; wakeups: Wakeups; readNetwork: ReadNetwork }

/** Marks that a number has had in 90 days are few among those that there are. */
const MAX_MARKS_TRIED = 10

/** Stores the probes that are due. The caller submits each of them, once. */
export async function claimProbes({ db, readNetwork }: SendDeps, limit: number): Promise<NewProbe[]> {
  const network = readNetwork()
  return transaction(db, async (tx) => {
    const plans = await claimDue(tx, limit)
    if (plans.length === 0) return []
    const reachable = await findReachable(tx, network)
    const claimed: NewProbe[] = []
    for (const plan of plans) {
      const is_spent = plan.of_last_day >= plan.per_day
      const made = is_spent ? { problem: null } : await makeProbe(tx, network, reachable, plan)
      const next_datetime = new Date(nextProbe(plan, Date.now(), Math.random())).toISOString()
      const sent = 'text' in made
      await movePlan(tx, plan.id, { next_datetime, sent, problem: sent ? null : made.problem })
      if (sent) claimed.push(made)
    }
    return claimed
  })
}

/**
 * Stores probes with the texts that campaigns have sent, at most one of each plan for a slice of a campaign. The caller submits
 * each of them, once.
 */
export async function claimSeeds(
  { db, readNetwork }: SendDeps,
  seeds: readonly Seed[],
  limit: number,
): Promise<NewProbe[]> {
  if (seeds.length === 0 || !(await probesCampaigns(db))) return []
  const network = readNetwork()
  return transaction(db, async (tx) => {
    const plans = await lockCampaignPlans(tx)
    const reachable = await findReachable(tx, network)
    const claimed: NewProbe[] = []
    for (const seed of seeds) {
      for (const plan of plans.filter((one) => seed.reaches(one))) {
        if (claimed.length === limit) return claimed
        if (plan.of_last_day >= plan.per_day) continue
        if ((await countOfCampaign(tx, plan.name, seed.campaign_id)) >= plan.per_campaign) continue
        const probe = await makeSeed(tx, network, reachable, plan, seed)
        if (!probe) continue
        plan.of_last_day += 1
        plan.probes += 1n
        await movePlan(tx, plan.id, { next_datetime: plan.next_datetime, sent: true, problem: plan.problem })
        claimed.push(probe)
      }
    }
    return claimed
  })
}

/** Sends one probe of a plan now, also of one that is switched off; its schedule stays. Returns its id. */
export async function runPlan(deps: SendDeps, who: Actor, name: string): Promise<string> {
  const network = deps.readNetwork()
  const probe = await transaction(deps.db, async (tx) => {
    const plan = (await lockPlan(tx, name)) ?? noPlan(name)
    const made = await makeProbe(tx, network, await findReachable(tx, network), plan)
    if (!('text' in made)) throw new Refusal('conflict', made.problem)
    await movePlan(tx, plan.id, { next_datetime: plan.next_datetime, sent: true, problem: null })
    await recordAudit(tx, who, { organisation_id: null, action: 'probes.run', subject: name })
    return made
  })
  await submitProbe(deps, probe)
  return probe.id
}

/** Submits a stored probe by a process that runs its carrier, and stores the answer. */
export async function submitProbe({ db, wakeups }: SendDeps, probe: NewProbe): Promise<void> {
  const { carrier, recipient, sender_id, text } = probe
  await storeOutcome(db, probe.id, await submit({ wakeups }, carrier, { recipient, sender_id, text }))
}

async function submit(
  deps: { wakeups: Wakeups },
  carrier: string,
  message: { recipient: string; sender_id: string; text: string },
): Promise<Answered> {
  try {
    const sent = await testSend(deps, carrier, message)
    const { outcome, code, description, carrier_message_id: id, further_ids = [] } = sent
    return {
      outcome,
      outcome_reason: [code, description].filter(Boolean).join(' ').slice(0, MAX_REASON) || null,
      carrier_message_ids: id === undefined ? [] : [id, ...further_ids],
    }
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return { outcome: 'held', outcome_reason: messageOf(fault), carrier_message_ids: [] }
  }
}

const MAX_REASON = 500

/** Stores a probe of a plan, or returns why none can be sent. Numbers and wordings are used in rotation. */
async function makeProbe(
  tx: Tx,
  network: ProbeNetwork,
  reachable: readonly ProbeNumber[],
  plan: PlanRow,
): Promise<NewProbe | { problem: string }> {
  const { name, carrier, country, operator, sender_id, wordings } = plan
  if (!network.carriers.includes(carrier))
    return { problem: `There is no carrier ${carrier} of the kind smpp or http.` }
  const own = numbersOf(network, plan)
  if (own.length === 0) return { problem: `No probe phone has a number of ${operator}.` }
  const present = own.filter((number) => reachable.includes(number))
  const nth = Number(plan.probes)
  const to = present[nth % present.length]
  const wording = wordings[Math.floor(nth / present.length) % wordings.length]
  if (!to || wording === undefined) return { problem: `No phone with a number of ${operator} is present.` }
  for (let tries = 0; tries < MAX_MARKS_TRIED; tries += 1) {
    const where = { country, operator, phone_carrier: to.phone_carrier, recipient: to.number }
    const probe = { id: newId(), plan: name, carrier, sender_id, ...where, ...fillWording(wording), campaign_id: null }
    if (await insertProbe(tx, probe)) return probe
  }
  throw new Error(`no mark for a probe of ${name} is free`)
}

/**
 * Stores a probe with the text of a campaign; undefined: there is no number for it. A text without a mark is recognised by its
 * wording, so a number gets it once, through whichever carrier.
 */
async function makeSeed(
  tx: Tx,
  network: ProbeNetwork,
  reachable: readonly ProbeNumber[],
  plan: PlanRow,
  { campaign_id, sender_id, content }: Seed,
): Promise<NewProbe | undefined> {
  const { name, carrier, country, operator } = plan
  const present = numbersOf(network, plan).filter((number) => reachable.includes(number))
  for (let tries = 0; tries < MAX_MARKS_TRIED; tries += 1) {
    const { text, mark } = fillContent(content)
    const free =
      mark === undefined
        ? await listFree(
            tx,
            campaign_id,
            present.map(({ number }) => number),
          )
        : undefined
    const fitting = free ? present.filter(({ number }) => free.includes(number)) : present
    const to = fitting[Number(plan.probes) % fitting.length]
    if (!to) return undefined
    const id = newId()
    const where = { country, operator, phone_carrier: to.phone_carrier, recipient: to.number }
    const probe = { id, plan: name, carrier, sender_id, ...where, text, mark: mark ?? `=${id}`, campaign_id }
    if (await insertProbe(tx, probe)) return probe
  }
  throw new Error(`no mark for a probe of ${name} is free`)
}

/** The numbers whose phone is present. A SIM whose number is not known may have any number of its carrier. */
async function findReachable(tx: Tx, { numbers }: ProbeNetwork): Promise<ProbeNumber[]> {
  const carriers = new Map(numbers.map(({ phone_carrier, silent_after_s }) => [phone_carrier, silent_after_s]))
  const sims = await listPresent(
    tx,
    [...carriers].map(([phone_carrier, silent_after_s]) => ({ phone_carrier, silent_after_s })),
  )
  return numbers.filter(({ phone_carrier, number }) => {
    const own = sims.filter((sim) => sim.phone_carrier === phone_carrier)
    const exact = own.filter((sim) => sim.number === number)
    return (exact.length > 0 ? exact : own).some(({ present }) => present)
  })
}
