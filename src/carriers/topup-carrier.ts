/** The interface of an airtime vendor; each vendor implements it in a folder of its own. */
export type TopupCarrier = {
  name: string
  /** The networks it sells. */
  networks: readonly Network[]
  /** No call takes longer; a call that was stored longer ago is over, with or without an answer. */
  timeout_ms: number
  /** The vendor's reference of a purchase, derived from our id: the same purchase always has the same reference. */
  referenceOf(purchase: { purchase_id: string; created_datetime: string }): string
  /**
   * It can be queried by its own id only. The outcome of a call whose answer was lost cannot be found out then, nor whether
   * the call was made: so its try is stored right before the call.
   */
  asked_by_own_id?: true
  /** Buys. Never rejects: an unknown outcome is `unclear`. */
  purchase(order: TopupOrder): Promise<PurchaseOutcome>
  /** Queries the outcome of an order, by its reference first. Never rejects, and buys nothing. */
  requery(order: TopupOrder): Promise<RequeryOutcome>
  /** The order that a vendor's callback names; its contents are not trusted but queried. Never throws. */
  parseCallback?(body: string): TopupHint | undefined
  /** Our balance at the vendor; undefined if it does not say. */
  balance(): Promise<bigint | undefined>
  /** Aborts calls in flight; their outcome is `unclear`. */
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
  /** The vendor's own id, once known. */
  vendor_purchase_id: string | null
}

export type TopupHint = { reference?: string; vendor_purchase_id?: string }

/** What a vendor said besides the outcome. */
export type VendorWords = {
  code?: string | undefined
  description?: string | undefined
  vendor_purchase_id?: string | undefined
  cost?: bigint | undefined
  vendor_balance?: bigint | undefined
}

type Certain =
  /** The airtime was delivered. */
  | { kind: 'success' }
  /** Not bought, permanently, because of the number, the amount or the network. */
  | { kind: 'failed' }

type Uncertain =
  /** The vendor is processing it; query again, after `retry_after_s` if given. */
  | { kind: 'accepted'; retry_after_s?: number }
  /** It may or may not be bought. */
  | { kind: 'unclear'; retry_after_s?: number }

export type PurchaseOutcome = VendorWords &
  (
    | Certain
    | Uncertain
    /** Not bought, because the vendor considers it a duplicate. */
    | { kind: 'duplicate' }
    /** Not bought, because of our account at the vendor: balance, credentials. */
    | { kind: 'error' }
    /** Not bought: the call did not reach the vendor. */
    | { kind: 'unreached' }
  )

export type RequeryOutcome = VendorWords &
  (
    | Certain
    | Uncertain
    /** The vendor does not know the reference. */
    | { kind: 'not_found' }
  )
