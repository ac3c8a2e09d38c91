import type { TestService, Organisation } from '../support/service.ts'
import type { Receiver } from '../support/receiver.ts'

/** The behaviour a customer may expect, in its simplest form: no database, no queue, no time. */
export type Model = { accounts: Account[]; references: number }

export type Account = {
  /**
   * In currency units: the amount charged, and the amount that will be refunded once carriers and vendors have
   * rejected.
   */
  balance: number
  coming_back: number
  messages: Sent[]
  purchases: Bought[]
  otps: Otp[]
  /** Every request with an Idempotency-Key, with its response. */
  keys: { key: string; body: object; text: string }[]
}

export type Sent = { id: string; callback: boolean; deliveries: { recipient: string; ends: string }[] }
export type Bought = { id: string; ends: string; amount: number; callback: boolean }
export type Otp = { id: string; token: string; status: number; attempts: number; lost: boolean }

/** The service that the model is compared with, with the organisations in the order of the model's accounts. */
export type Real = { service: TestService; organisations: Organisation[]; receiver: Receiver }

export const PRICE = 4

/** The documented outcome of each number of the sandbox. */
export const MESSAGE_ENDS: Record<string, string> = {
  '2348000000001': 'undelivered',
  '2348000000002': 'expired',
  '2348000000003': 'rejected',
  '2348000000004': 'undelivered',
  '2348000000006': 'delivered',
  '2348000000007': 'delivered',
  '2348031234567': 'delivered',
  '2348031234568': 'delivered',
  '2348051234569': 'delivered',
}

export const PURCHASE_ENDS: Record<string, string> = {
  '2348000000011': 'failed',
  '2348000000012': 'duplicate',
  '2348000000013': 'success',
  '2348000000014': 'failed',
  '2348000000015': 'error',
  '2348031234567': 'success',
}

export const REFUNDED = new Set(['rejected', 'failed', 'duplicate', 'error'])

/** The allowed changes of status; every other one is an error. */
export const LEGAL: Record<string, readonly string[]> = {
  deliveries: [
    'scheduled queued',
    'scheduled canceled',
    'queued sent',
    ...['delivered', 'undelivered', 'expired', 'rejected', 'failed', 'unknown'].flatMap((end) => [
      `queued ${end}`,
      `sent ${end}`,
    ]),
    'expired delivered',
    'unknown delivered',
  ],
  purchases: [
    'pending sent',
    'pending success',
    'pending failed',
    'pending duplicate',
    'pending error',
    'sent success',
    'sent failed',
  ],
  otps: ['1 3', '1 4', '1 5'],
}

/** Possible results of a charge: too much is rejected, enough is accepted; in between it depends on pending refunds. */
export function verdict({ balance, coming_back }: Account, charge: number): 'taken' | 'refused' | 'either' {
  if (charge <= balance) return 'taken'
  return charge > balance + coming_back ? 'refused' : 'either'
}
