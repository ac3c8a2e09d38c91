export const SENDERS = '/senders'
export const DECISIONS = '/console/api/senders'
