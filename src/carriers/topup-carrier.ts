/** The back door for airtime: one small plug, a folder per vendor behind it. */
export type TopupCarrier = {
  name: string
  /** The networks it sells. */
  networks: readonly Network[]
  /** No call takes longer; a call that was written down longer ago is over, whatever became of its answer. */
  timeout_ms: number
  /** What the vendor will know a purchase by: made of our id, so that the same purchase always has the same. */
  referenceOf(purchase: { purchase_id: string; created_datetime: string }): string
  /**
   * It can be asked by its own id only. What became of a call whose answer was lost nobody can tell then, nor whether it
   * was ever made: so it is written down at the last moment.
   */
  asked_by_own_id?: true
  /** Buys. Never throws: what cannot be told is `unclear`. */
  purchase(order: TopupOrder): Promise<PurchaseOutcome>
  /** Asks what became of an order, by its reference first. Never throws, and buys nothing. */
  requery(order: TopupOrder): Promise<RequeryOutcome>
  /** Which order a vendor's own callback speaks of; what it says about it is not believed but asked for. Never throws. */
  parseCallback?(body: string): TopupHint | undefined
  /** What is left of our money at the vendor, or undefined when it does not say. */
  balance(): Promise<bigint | undefined>
  /** Breaks off what is under way; its outcome is `unclear`. */
  stop(): Promise<void>
}

export const NETWORKS = ['Airtel', 'MTN', 'Glo', '9mobile', 'NTEL'] as const
export type Network = (typeof NETWORKS)[number]

export type TopupOrder = {
  organisation_id: string
  purchase_id: string
  reference: string
  recipient: string
  network: Network
  /** In ten-thousandths, always whole hundredths of the unit. */
  amount: bigint
  currency: string
  /** What the vendor called it, once it has. */
  vendor_purchase_id: string | null
}

export type TopupHint = { reference?: string; vendor_purchase_id?: string }

/** What a vendor said beside the outcome, for the record. */
export type VendorWords = {
  code?: string | undefined
  description?: string | undefined
  vendor_purchase_id?: string | undefined
  cost?: bigint | undefined
  vendor_balance?: bigint | undefined
}

type Certain =
  /** The airtime is on the phone. */
  | { kind: 'success' }
  /** Not bought, and it will not be: the number, the amount or the network. */
  | { kind: 'failed' }

type Uncertain =
  /** The vendor has it and is not done; ask again, after this time where it says so. */
  | { kind: 'accepted'; retry_after_s?: number }
  /** It may or may not be bought. */
  | { kind: 'unclear'; retry_after_s?: number }

export type PurchaseOutcome = VendorWords &
  (
    | Certain
    | Uncertain
    /** Not bought, because the vendor takes it for a repetition of another one. */
    | { kind: 'duplicate' }
    /** Not bought, for a reason between the vendor and us: our money there, our credentials. */
    | { kind: 'error' }
    /** Not bought: the call never got to the vendor. */
    | { kind: 'unreached' }
  )

export type RequeryOutcome = VendorWords &
  (
    | Certain
    | Uncertain
    /** The vendor answers for its books, and this reference is not in them. */
    | { kind: 'not_found' }
  )
