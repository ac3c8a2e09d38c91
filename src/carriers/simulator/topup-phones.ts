/** How the simulated vendor treats a number. */
export type TopupBehaviour = {
  /** The answer to the purchase, and what is found when it is asked about again. */
  at_once: 'success' | 'failed' | 'duplicate' | 'error' | 'accepted' | 'unclear'
  later: 'success' | 'failed' | 'unclear'
  /** When `later` is true, counted from the purchase. */
  after_s: number
}

const ORDINARY: TopupBehaviour = { at_once: 'success', later: 'success', after_s: 0 }

/** As for messages: Nigeria's 0800 numbers belong to no handset, so these can stand for every way a purchase can end. */
const SPECIAL: Record<string, TopupBehaviour> = {
  '2348000000011': { at_once: 'failed', later: 'failed', after_s: 0 },
  '2348000000012': { at_once: 'duplicate', later: 'failed', after_s: 0 },
  '2348000000013': { at_once: 'unclear', later: 'success', after_s: 1 },
  '2348000000014': { at_once: 'unclear', later: 'failed', after_s: 1 },
  '2348000000015': { at_once: 'error', later: 'failed', after_s: 0 },
  '2348000000016': { at_once: 'accepted', later: 'success', after_s: 10 },
  // The vendor's line is dead: no answer, however often it is asked. The operator has to decide.
  '2348000000017': { at_once: 'unclear', later: 'unclear', after_s: 0 },
}

export function topupBehaviourOf(recipient: string): TopupBehaviour {
  return SPECIAL[recipient] ?? ORDINARY
}
