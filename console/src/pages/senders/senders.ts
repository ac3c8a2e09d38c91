/** A name phones show, as its organisation sees it. */
export type Sender = {
  id: string
  sender_id: string
  state: 'pending' | 'approved' | 'rejected'
  class: 'transactional' | 'promotional'
  note?: string
  reason?: string
  created_datetime: string
}

/** The same for the operators, who see those of everybody. */
export type AnyonesSender = Sender & { organisation_id: string; organisation_name: string; updated_datetime?: string }

export const SENDERS = '/senders'
export const DECISIONS = '/console/api/senders'
