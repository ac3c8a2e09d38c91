import type { ChargeSale, Receipt, Sale, StoreManySales, StoreSales } from '../billing/charge.ts'
import type { MessageCarrier, OutgoingMessage, SubmitOutcome } from '../carriers/message-carrier.ts'
import type { SpanRef } from '../observe/trace/otlp.ts'
import { newSpanId, writeTraceparent } from '../observe/trace/ids.ts'
import { nowMs, type Tracer } from '../observe/trace/tracer.ts'
import { codeOf, messageOf } from '../values/thrown.ts'
import type { Draft } from './draft.ts'

/** The steps of messages as spans, if traces are exported. Spans contain no phone numbers and no texts. */

/** Traces a charge: the parent span of all later steps of the message. */
export function traceSales<Item>(
  tracer: Tracer,
  chargeSale: ChargeSale<Item>,
  draftOf: (item: Item) => Draft,
): ChargeSale<Item> {
  return async (organisation_id, sale) => {
    const draft = draftOf(sale.item)
    const { stored, parent_span_id, charge } = tracer.accept(draft.id)
    if (stored !== undefined) draft.trace = stored
    if (!charge) return chargeSale(organisation_id, sale)
    const start_ms = nowMs()
    const addSpan = (outcome: string, fault?: string): void =>
      tracer.addRoot(
        {
          span_id: charge.span_id,
          parent_span_id,
          name: 'charge',
          kind: 'producer',
          start_ms,
          attributes: {
            'gangan.organisation_id': organisation_id,
            'gangan.message_id': draft.id,
            'gangan.channel': draft.channel,
            'gangan.recipients': draft.deliveries.length,
            'gangan.outcome': outcome,
          },
          fault,
        },
        charge.trace_id,
      )
    let receipt: Receipt
    try {
      receipt = await chargeSale(organisation_id, sale)
    } catch (fault) {
      addSpan('refused', codeOf(fault) ?? messageOf(fault))
      throw fault
    }
    addSpan(receipt.replayed ? 'replayed' : 'charged')
    return receipt
  }
}

/** Collectors truncate longer lists. */
const MAX_LINKS = 128

/** Traces a write of several charges: a trace of its own, with a link to each. */
export function traceWrites<Item>(
  tracer: Tracer,
  store: StoreSales<Item>,
  draftOf: (item: Item) => Draft,
): StoreSales<Item> {
  return (organisation_id, sales) =>
    traceWrite(tracer, { 'gangan.organisation_id': organisation_id }, sales, draftOf, () =>
      store(organisation_id, sales),
    )
}

/** The same for several organisations. */
export function traceManyWrites<Item>(
  tracer: Tracer,
  store: StoreManySales<Item>,
  draftOf: (item: Item) => Draft,
): StoreManySales<Item> {
  return (groups) => {
    const sales = groups.flatMap((group) => group.sales)
    return traceWrite(tracer, { 'gangan.organisations': groups.length }, sales, draftOf, () => store(groups))
  }
}

async function traceWrite<Item, Result>(
  tracer: Tracer,
  attributes: Record<string, string | number>,
  sales: readonly Sale<Item>[],
  draftOf: (item: Item) => Draft,
  write: () => Promise<Result>,
): Promise<Result> {
  const links = sales.flatMap(({ item }) => {
    const { id, trace } = draftOf(item)
    return tracer.chargeOf(id, trace) ?? []
  })
  const start_ms = nowMs()
  const addSpan = (fault?: string): void => {
    if (links.length === 0) return
    tracer.addRoot({
      name: 'write burst',
      kind: 'internal',
      start_ms,
      attributes: { ...attributes, 'gangan.sales': sales.length },
      links: links.slice(0, MAX_LINKS),
      fault,
    })
  }
  try {
    const result = await write()
    addSpan()
    return result
  } catch (fault) {
    addSpan(codeOf(fault) ?? messageOf(fault))
    throw fault
  }
}

type Submission = { charge: SpanRef; span_id: string; message: OutgoingMessage }

/** Traces each submission until the carrier's answer. HTTP carriers propagate the trace. */
export function traceCarrier(tracer: Tracer, carrier: MessageCarrier): MessageCarrier {
  function begin(message: OutgoingMessage): Submission | undefined {
    const charge = tracer.chargeOf(message.message_id, message.trace)
    if (!charge) return undefined
    const span_id = newSpanId()
    message.traceparent = writeTraceparent({ trace_id: charge.trace_id, span_id })
    return { charge, span_id, message }
  }

  function end({ charge, span_id, message }: Submission, start_ms: number, outcome: SubmitOutcome | undefined): void {
    const kind = outcome?.kind ?? 'unknown'
    tracer.addStep(charge, {
      span_id,
      name: 'submit',
      kind: 'client',
      start_ms,
      attributes: {
        'gangan.message_id': message.message_id,
        'gangan.carrier': carrier.name,
        'gangan.channel': message.channel,
        'gangan.attempt': message.attempt,
        'gangan.outcome': kind,
        'gangan.code': outcome && 'code' in outcome ? outcome.code : undefined,
      },
      fault: kind === 'accepted' || kind === 'held' ? undefined : kind,
    })
  }

  return {
    ...carrier,
    submit(messages) {
      const start_ms = nowMs()
      const submissions = messages.map(begin)
      const answers = carrier.submit(messages)
      const endAll = (outcomes: readonly SubmitOutcome[]): void =>
        submissions.forEach((one, n) => one && end(one, start_ms, outcomes[n]))
      if (Array.isArray(answers)) {
        submissions.forEach((one, n) => one && void answers[n]?.then((outcome) => end(one, start_ms, outcome)))
      } else {
        answers.then(endAll, () => endAll(messages.map(() => ({ kind: 'held' }))))
      }
      return answers
    },
  }
}

/** Traces a report from its arrival until it is settled. */
export type TraceReports = (
  start_ms: number,
  reports: readonly {
    organisation_id: string
    message_id: string
    carrier: string
    status: string
    code: string | null
  }[],
) => Promise<void>

export function makeTraceReports(tracer: Tracer): TraceReports {
  return async (start_ms, reports) => {
    await Promise.all(
      reports.map(async ({ organisation_id, message_id, carrier, status, code }) => {
        const charge = await tracer.findCharge(organisation_id, message_id)
        if (!charge) return
        const attributes = {
          'gangan.message_id': message_id,
          'gangan.carrier': carrier,
          'gangan.status': status,
          'gangan.code': code ?? undefined,
        }
        tracer.addStep(charge, { name: 'report', kind: 'consumer', start_ms, attributes })
      }),
    )
  }
}
