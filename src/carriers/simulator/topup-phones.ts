/** The behaviour of the simulated vendor for a number. */
export type TopupBehaviour = {
  /** The answer to the purchase, and to later queries. */
  answer: 'success' | 'failed' | 'duplicate' | 'error' | 'accepted' | 'unclear'
  later: 'success' | 'failed' | 'unclear'
  /** From when on queries answer `later`, counted from the purchase. */
  after_s: number
}

const ORDINARY: TopupBehaviour = { answer: 'success', later: 'success', after_s: 0 }

/** As for messages: these 0800 numbers simulate every outcome of a purchase. */
const SPECIAL: Record<string, TopupBehaviour> = {
  '2348000000011': { answer: 'failed', later: 'failed', after_s: 0 },
  '2348000000012': { answer: 'duplicate', later: 'failed', after_s: 0 },
  '2348000000013': { answer: 'unclear', later: 'success', after_s: 1 },
  '2348000000014': { answer: 'unclear', later: 'failed', after_s: 1 },
  '2348000000015': { answer: 'error', later: 'failed', after_s: 0 },
  '2348000000016': { answer: 'accepted', later: 'success', after_s: 10 },
  // The vendor never answers: the operator has to decide.
  '2348000000017': { answer: 'unclear', later: 'unclear', after_s: 0 },
}

export function topupBehaviourOf(recipient: string): TopupBehaviour {
  return SPECIAL[recipient] ?? ORDINARY
}
