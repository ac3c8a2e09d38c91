// Written by `npm run clients` from openapi.json.

export type AccountPage = {
  balance: number
  currency: string
  /** The threshold of `balance.low`, from the settings. */
  low_balance?: number
  /** How far below zero the balance may fall, if the operator allows it. Charges are refused beyond that. */
  credit_limit?: number
  /** What the API key of this request may spend per day (UTC). Charges beyond it are refused with 402. */
  daily_spending_limit?: number
  /** With `daily_spending_limit`: spent since midnight UTC. Refunds do not reduce it. */
  spent_today?: number
  /** With `from` or `until`: the balance before the first line of the period. */
  opening_balance?: number
  /** With `from` or `until`: the balance after the last line of the period. */
  closing_balance?: number
  entries: LedgerEntry[]
  meta: ListMeta
}

export type AirtimeBuyBody = {
  /** `Airtel`, `MTN`, `Glo`, `9mobile`, `NTEL`, in any case. */
  network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  /** How much airtime, in currency units with at most two decimals; 50 to 50,000 unless the operator has set other bounds. */
  amount: number
  /** The phone number that receives the airtime. */
  recipient: string
  /** Where to post the outcome. */
  callback?: string
  /** Your own reference, to find the purchase again. */
  external_ref?: string
}

export type AirtimeDuplicateEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'airtime.duplicate'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeErrorEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'airtime.error'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeFailedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'airtime.failed'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeSuccessEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'airtime.success'
  created_datetime: string
  data: PurchaseReport
}

export type AnalyticsAnswer = {
  from: string
  until: string
  /** Of days and hours; see `PATCH /settings`. */
  time_zone: string
  interval: 'hour' | 'day' | 'month'
  currency: string
  totals: AnalyticsFigures
  /** Every step is included, also empty ones. */
  series: {
    /** When the step began. */
    start_datetime: string
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that were read, as WhatsApp reports; absent if there are none. */
    read?: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those canceled before they were sent. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** The charge for them. */
    cost: number
    /** Refunds of that cost. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Absent if the divisor is 0. */
    delivery_rate?: number
    otp?: OtpFigures
  }[]
  by?: 'channel' | 'country' | 'operator' | 'sender' | 'route' | 'error' | 'template'
  /** By number of messages, descending; by error, by number of failures. */
  values?: {
    /** A channel, an ISO country code, a country code with an operator’s name (`NG MTN`, by the prefix of the number), a sender ID, a route, an error code, or the id of a template. Empty if there is none. */
    value: string
    /** The name of a template. */
    name?: string
    /** The meaning of an error code that is known; two of them, if carriers use it for both. */
    description?: string
    /** What to do about deliveries that failed with an error code. */
    advice?: string
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that were read, as WhatsApp reports; absent if there are none. */
    read?: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those canceled before they were sent. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** The charge for them. */
    cost: number
    /** Refunds of that cost. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Absent if the divisor is 0. */
    delivery_rate?: number
    otp?: OtpFigures
    previous?: AnalyticsFigures
  }[]
  /** All other values together, if there are more. */
  other?: {
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that were read, as WhatsApp reports; absent if there are none. */
    read?: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those canceled before they were sent. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** The charge for them. */
    cost: number
    /** Refunds of that cost. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Absent if the divisor is 0. */
    delivery_rate?: number
    otp?: OtpFigures
    previous?: AnalyticsFigures
  }
  /** See `compare`. */
  previous?: {
    from: string
    until: string
    totals: AnalyticsFigures
    /** Every step is included, also empty ones. */
    series: {
      /** When the step began. */
      start_datetime: string
      /** Recipients of messages that were accepted and charged. */
      accepted: number
      /** Those that were delivered. */
      delivered: number
      /** Those that were read, as WhatsApp reports; absent if there are none. */
      read?: number
      /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
      failed: number
      /** Those on which no carrier ever reported. */
      unknown: number
      /** Those canceled before they were sent. */
      canceled: number
      /** Pages of those that were accepted. */
      pages: number
      /** The charge for them. */
      cost: number
      /** Refunds of that cost. */
      refunded: number
      /** Delivered of those that ended: delivered, failed or unknown. Absent if the divisor is 0. */
      delivery_rate?: number
      otp?: OtpFigures
    }[]
  }
  meta: RequestMeta
}

export type AnalyticsFigures = {
  /** Recipients of messages that were accepted and charged. */
  accepted: number
  /** Those that were delivered. */
  delivered: number
  /** Those that were read, as WhatsApp reports; absent if there are none. */
  read?: number
  /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
  failed: number
  /** Those on which no carrier ever reported. */
  unknown: number
  /** Those canceled before they were sent. */
  canceled: number
  /** Pages of those that were accepted. */
  pages: number
  /** The charge for them. */
  cost: number
  /** Refunds of that cost. */
  refunded: number
  /** Delivered of those that ended: delivered, failed or unknown. Absent if the divisor is 0. */
  delivery_rate?: number
  otp?: OtpFigures
}

export type Assignee = {
  id: string
  name: string
}

export type Assignees = {
  assignees: Assignee[]
}

export type BalanceExhaustedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'balance.exhausted'
  created_datetime: string
  data: {
    /** The balance when this was detected. */
    balance: number
    /** How far below zero the balance may fall. */
    credit_limit: number
    /** The lowest charge that was refused. */
    charge: number
    currency: string
  }
}

export type BalanceLowEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'balance.low'
  created_datetime: string
  data: {
    /** The balance when this was detected. */
    balance: number
    /** As in the settings. */
    low_balance: number
    currency: string
  }
}

export type BalanceSpending_limitEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'balance.spending_limit'
  created_datetime: string
  data: {
    key_id: string
    /** Its first and last characters. */
    key: string
    name?: string
    /** What the key may spend per day (UTC). */
    daily_spending_limit: number
    /** The charge that was refused. */
    charge: number
    currency: string
  }
}

export type BoughtPurchase = {
  id: string
  recipient: string
  external_ref?: string
  callback?: string
  /** `pending → sent → success | failed`, or `pending → failed | duplicate | error`. The last four are final; all but `success` are refunded. */
  status: 'pending' | 'sent' | 'failed' | 'error' | 'success' | 'duplicate'
  created_datetime: string
  network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  meta: {
    method: string
    resource: string
    charge: {
      /** What was charged: the airtime and the commission. */
      amount: number
      /** The commission in it, if there is one; negative: a discount. */
      commission?: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was refunded, because nothing was bought. */
      refunded: boolean
    }
    /** Warnings, for example that the number has a prefix of another network. */
    warnings?: string[]
  }
}

export type BulkAnswer = {
  rows: ContactRow[]
  table: ContactTable
}

export type CallbackAnswer = {
  id: string
  /** The `webhook-id`: the same for every attempt and every endpoint of the event. */
  event_id: string
  /** The registered webhook; absent for the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint responded with 410, or its webhook was disabled or deleted. `failed`: all attempts within 24 hours failed. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase of the event. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When a failed attempt is retried. Absent before the first attempt and after the last. */
  next_attempt_datetime?: string
  meta: RequestMeta
}

export type CallbackPage = {
  callbacks: ListedCallback[]
  meta: ListMeta
}

export type CallbackWithAttemptsAnswer = {
  id: string
  /** The `webhook-id`: the same for every attempt and every endpoint of the event. */
  event_id: string
  /** The registered webhook; absent for the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint responded with 410, or its webhook was disabled or deleted. `failed`: all attempts within 24 hours failed. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase of the event. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When a failed attempt is retried. Absent before the first attempt and after the last. */
  next_attempt_datetime?: string
  /** The posted body, byte for byte. */
  body: string
  attempts_log: {
    attempt: number
    /** Status code of the response. */
    status_code?: number
    /** Why there was no response. */
    reason?: string
    /** The first bytes of the response. */
    excerpt?: string
    duration_ms: number
    created_datetime: string
  }[]
  meta: RequestMeta
}

export type Campaign = {
  id: string
  name: string
  status: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
  smartlist_id?: string
  filters?: (
    | {
        column_id: string
        /** Of the column. */
        name: string
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        value?: string | string[]
      }
    | {
        /** A group, one of which must match. */
        any: {
          column_id: string
          /** Of the column. */
          name: string
          operator:
            | 'equal'
            | 'not_equal'
            | 'contain'
            | 'not_contain'
            | 'start_with'
            | 'end_with'
            | 'empty'
            | 'not_empty'
            | 'is_any'
            | 'is_none_of'
            | 'greater'
            | 'less'
            | 'before'
            | 'after'
          value?: string | string[]
        }[]
      }
  )[]
  /** Uploaded entries. */
  uploaded: number
  /** It was saved with `is_incomplete`: only the form of its fields was checked. */
  is_incomplete?: boolean
  /** The campaign whose failed recipients it is for. */
  resend_of?: string
  channel: string
  sender_id?: string
  texts: {
    content: string
    template_id?: string
    template_version?: number
    share: number
  }[]
  route_class: string
  is_trackable: boolean
  smart_encoding?: boolean
  external_ref?: string
  callback?: string
  send_at?: string
  pace_per_hour?: number
  quiet_from?: string
  quiet_until?: string
  estimate?: {
    /** The whole list was processed. */
    is_complete: boolean
    /** Entries of the list processed so far. */
    rows: number
    /** Number of recipients. */
    people: number
    /** Total charge: every text is composed and its pages are counted. */
    charge: number
    /** Recipients by size of their text. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** People who get a text of this size. */
      people: number
      /** Charge for all of them. */
      charge: number
    }[]
    /** People who are left out, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`, `blocked`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** The text as it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
      text: string
      /** Which of several texts, counted from 1. */
      text_number: number
      encoding: string
      pages: number
      charge: number
    }[]
    estimated_datetime?: string
  }
  progress: {
    /** Recipients accepted and charged. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when they were to be sent, for example after an opt-out since the estimate. */
    dropped: number
    /** Canceled before they were submitted to a carrier. */
    taken_back: number
    /** Refunded for canceled deliveries. */
    given_back: number
  }
  /** Why it is paused: `by_hand`, `insufficient_balance`, `spending_limit` (of the API key that started it), `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  started_datetime?: string
  ended_datetime?: string
}

export type CampaignAnswer = {
  id: string
  name: string
  status: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
  smartlist_id?: string
  filters?: (
    | {
        column_id: string
        /** Of the column. */
        name: string
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        value?: string | string[]
      }
    | {
        /** A group, one of which must match. */
        any: {
          column_id: string
          /** Of the column. */
          name: string
          operator:
            | 'equal'
            | 'not_equal'
            | 'contain'
            | 'not_contain'
            | 'start_with'
            | 'end_with'
            | 'empty'
            | 'not_empty'
            | 'is_any'
            | 'is_none_of'
            | 'greater'
            | 'less'
            | 'before'
            | 'after'
          value?: string | string[]
        }[]
      }
  )[]
  /** Uploaded entries. */
  uploaded: number
  /** It was saved with `is_incomplete`: only the form of its fields was checked. */
  is_incomplete?: boolean
  /** The campaign whose failed recipients it is for. */
  resend_of?: string
  channel: string
  sender_id?: string
  texts: {
    content: string
    template_id?: string
    template_version?: number
    share: number
  }[]
  route_class: string
  is_trackable: boolean
  smart_encoding?: boolean
  external_ref?: string
  callback?: string
  send_at?: string
  pace_per_hour?: number
  quiet_from?: string
  quiet_until?: string
  estimate?: {
    /** The whole list was processed. */
    is_complete: boolean
    /** Entries of the list processed so far. */
    rows: number
    /** Number of recipients. */
    people: number
    /** Total charge: every text is composed and its pages are counted. */
    charge: number
    /** Recipients by size of their text. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** People who get a text of this size. */
      people: number
      /** Charge for all of them. */
      charge: number
    }[]
    /** People who are left out, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`, `blocked`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** The text as it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
      text: string
      /** Which of several texts, counted from 1. */
      text_number: number
      encoding: string
      pages: number
      charge: number
    }[]
    estimated_datetime?: string
  }
  progress: {
    /** Recipients accepted and charged. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when they were to be sent, for example after an opt-out since the estimate. */
    dropped: number
    /** Canceled before they were submitted to a carrier. */
    taken_back: number
    /** Refunded for canceled deliveries. */
    given_back: number
  }
  /** Why it is paused: `by_hand`, `insufficient_balance`, `spending_limit` (of the API key that started it), `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  started_datetime?: string
  ended_datetime?: string
  meta: RequestMeta
}

export type CampaignPage = {
  campaigns: Campaign[]
  meta: ListMeta
}

export type CampaignRecipient = {
  /** The number; as written if it was uploaded or left out. */
  recipient: string
  /** Of an uploaded one: its values by name. */
  substitutions?: Record<string, string>
  /** Why it was left out. */
  reason?: string
  /** Of a failed delivery. */
  status?: string
  /** As reported by the carrier. */
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  /** The message the delivery is part of. */
  message_id?: string
}

export type CampaignRecipientPage = {
  recipients: CampaignRecipient[]
  meta: ScrollMeta
}

export type CampaignReportAnswer = {
  /** Recipients the campaign was accepted for. */
  people: number
  /** People by status of their delivery; `waiting` is not submitted to a carrier yet. */
  outcomes: Record<string, number>
  clicked: number
  /** Recipients who replied within 72 hours. */
  replied: number
  /** Recipients who opted out within 72 hours. */
  opted_out: number
  /** Charged, minus refunds. */
  charge: number
  refunded: number
  /** Failed deliveries by reason and operator, most frequent first. */
  failures: {
    outcome: string
    /** As reported by the carrier. */
    code: string
    /** What the code means, if known. */
    description?: string
    /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
    advice?: string
    operator: string
    people: number
  }[]
  operators: {
    operator: string
    people: number
    delivered: number
  }[]
  /** By the hour of the final status. */
  hours: {
    hour: string
    delivered: number
    failed: number
  }[]
  texts: {
    text_number: number
    people: number
    delivered: number
    clicked: number
    /** Of those the text was sent to. */
    delivered_rate: number
    /** Of those the text was delivered to. */
    clicked_rate: number
  }[]
  /** The best of several texts, counted from 1: by click rate if links are tracked, otherwise by delivery rate. Absent while the difference is not significant. */
  winner?: number
  meta: RequestMeta
}

export type CampaignWithOutcomesAnswer = {
  id: string
  name: string
  status: 'draft' | 'estimating' | 'estimated' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'
  smartlist_id?: string
  filters?: (
    | {
        column_id: string
        /** Of the column. */
        name: string
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        value?: string | string[]
      }
    | {
        /** A group, one of which must match. */
        any: {
          column_id: string
          /** Of the column. */
          name: string
          operator:
            | 'equal'
            | 'not_equal'
            | 'contain'
            | 'not_contain'
            | 'start_with'
            | 'end_with'
            | 'empty'
            | 'not_empty'
            | 'is_any'
            | 'is_none_of'
            | 'greater'
            | 'less'
            | 'before'
            | 'after'
          value?: string | string[]
        }[]
      }
  )[]
  /** Uploaded entries. */
  uploaded: number
  /** It was saved with `is_incomplete`: only the form of its fields was checked. */
  is_incomplete?: boolean
  /** The campaign whose failed recipients it is for. */
  resend_of?: string
  channel: string
  sender_id?: string
  texts: {
    content: string
    template_id?: string
    template_version?: number
    share: number
  }[]
  route_class: string
  is_trackable: boolean
  smart_encoding?: boolean
  external_ref?: string
  callback?: string
  send_at?: string
  pace_per_hour?: number
  quiet_from?: string
  quiet_until?: string
  estimate?: {
    /** The whole list was processed. */
    is_complete: boolean
    /** Entries of the list processed so far. */
    rows: number
    /** Number of recipients. */
    people: number
    /** Total charge: every text is composed and its pages are counted. */
    charge: number
    /** Recipients by size of their text. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** People who get a text of this size. */
      people: number
      /** Charge for all of them. */
      charge: number
    }[]
    /** People who are left out, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`, `blocked`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** The text as it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
      text: string
      /** Which of several texts, counted from 1. */
      text_number: number
      encoding: string
      pages: number
      charge: number
    }[]
    estimated_datetime?: string
  }
  progress: {
    /** Recipients accepted and charged. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when they were to be sent, for example after an opt-out since the estimate. */
    dropped: number
    /** Canceled before they were submitted to a carrier. */
    taken_back: number
    /** Refunded for canceled deliveries. */
    given_back: number
  }
  /** Why it is paused: `by_hand`, `insufficient_balance`, `spending_limit` (of the API key that started it), `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  started_datetime?: string
  ended_datetime?: string
  /** People by status of their delivery, updated within seconds. `waiting` is not submitted to a carrier yet. */
  outcomes: Record<string, number>
  meta: RequestMeta
}

export type CampaignsAddRecipientsBody = {
  recipients?: {
    to: string
    /** Values of the placeholders, by name (case-insensitive). */
    substitutions?: Record<string, string>
  }[]
  /** Instead of `recipients`: CSV with a header line. The numbers are in the column named phone, mobile, number, to or the like, otherwise in the first one. */
  csv?: string
}

export type CampaignsCreateBody = {
  /** A label, shown in lists. */
  name?: string
  /** The recipients: a smartlist of contacts. If absent, those uploaded to `/campaigns/{id}/recipients`. */
  smartlist_id?: string
  /** Must match in addition to those of the smartlist. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Instead of `content` or `template_id`: several texts, each for a share of the people (split test). */
  texts?: TextBody[]
  /** The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** Your own reference of the message. */
  external_ref?: string
  /** Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** URL that delivery reports are posted to. */
  callback?: string
  /** When it starts, at most 35 days ahead: a date-time with its UTC offset. Immediately if absent. */
  send_at?: string
  /** Maximum number of people per hour. */
  pace_per_hour?: number
  /** Start of the quiet hours, in which nothing is sent, by the time zones of the recipient’s country. If absent, the quiet hours of the organisation apply to promotional campaigns. */
  quiet_from?: string
  /** End of the quiet hours. */
  quiet_until?: string
  /** Stores the fields although some are missing, to be completed later; only the form of each is checked. The campaign cannot be estimated before it is saved without `is_incomplete`. */
  is_incomplete?: boolean
}

export type CampaignsStartBody = {
  /** People of the estimate, which the caller confirms. */
  people: number
  /** Charge of the estimate. */
  charge: number
}

export type CampaignsTestBody = {
  /** Comma-separated phone numbers (an array is accepted too), at most 10,000. Duplicates are sent and charged once. */
  recipients: string | string[]
  /** Which of several texts, counted from 1. */
  text?: number
}

export type CampaignsUpdateBody = {
  /** A label, shown in lists. */
  name?: string
  /** The recipients: a smartlist of contacts. If absent, those uploaded to `/campaigns/{id}/recipients`. */
  smartlist_id?: string | null
  /** Must match in addition to those of the smartlist. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Instead of `content` or `template_id`: several texts, each for a share of the people (split test). */
  texts?: TextBody[]
  /** The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used. */
  sender_id?: string | null
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** Your own reference of the message. */
  external_ref?: string
  /** Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** URL that delivery reports are posted to. */
  callback?: string
  /** When it starts, at most 35 days ahead: a date-time with its UTC offset. Immediately if absent. */
  send_at?: string | null
  /** Maximum number of people per hour. */
  pace_per_hour?: number | null
  /** Start of the quiet hours, in which nothing is sent, by the time zones of the recipient’s country. If absent, the quiet hours of the organisation apply to promotional campaigns. */
  quiet_from?: string | null
  /** End of the quiet hours. */
  quiet_until?: string | null
  /** Stores the fields although some are missing, to be completed later; only the form of each is checked. The campaign cannot be estimated before it is saved without `is_incomplete`. */
  is_incomplete?: boolean
}

export type Change = {
  id: string
  action: 'set' | 'delete'
  /** `final`: it cannot be undone any more. */
  status: 'running' | 'done' | 'undoing' | 'undone' | 'final'
  /** Rows changed or deleted so far, without those that had the value already. */
  rows: number
  /** Rows restored by the undo. */
  restored: number
  /** Rows that were changed since and keep their content. */
  not_restored: number
  undo_until?: string
  /** Why it stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type Column = {
  id: string
  name: string
  type: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  /** The allowed values of a SELECT or MULTI SELECT column. */
  options?: string[]
  /** The conversion to another type that is running, or that can be undone. */
  conversion_id?: string
}

export type ColumnAnswer = {
  column: Column
  table: ContactTable
}

/** Your contact with this number; left out if there is none, or the key lacks the scope `lists`. */
export type Contact = {
  id: string
  name: string
}

export type ContactRow = {
  id: string
  /** Cells by column id. Empty cells are left out. */
  columns: Record<string, string>
  created_datetime: string
  updated_datetime?: string
}

export type ContactTable = {
  id: string
  columns: Column[]
  created_datetime: string
  updated_datetime?: string
}

export type ContactsChangesCreateBody = {
  /** `set` writes one cell of every row, `delete` deletes the rows. */
  action: 'set' | 'delete'
  /** For `set`: one column, by id or name, and the new value of its cells; `null` or `""` clears them. */
  columns?: Record<string, unknown>
  /** The rows, by id. Rows that do not exist are skipped. */
  row_ids?: string[]
  /** In place of `row_ids`: all rows a query finds. An empty one finds every row. */
  query?: {
    /** All of them must match. A filter with `any` is a group, one of which must match; at most 50 filters including those in groups. */
    filters?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator?:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
      /** Instead of the other fields: a group of filters, one of which must match. */
      any?: {
        /** The column, by its id. */
        column_id?: string
        /** The column, by its name, where no `column_id` is given. */
        name?: string
        /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
        value?: string | number | boolean | (string | number | boolean)[]
      }[]
    }[]
    smartlist_id?: string
    search?: string
    /** Rows to leave out. */
    except?: string[]
  }
}

export type ContactsColumnsCreateBody = {
  name: string
  /** One of TEXT, NUMBER, DATE, PHONE NUMBER, EMAIL, URL, SELECT, MULTI SELECT (case-insensitive); default TEXT. */
  type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  /** For SELECT and MULTI SELECT: the allowed values. An option contains no comma. */
  options?: string[]
}

export type ContactsColumnsListAnswer = {
  columns: Column[]
  meta: RequestMeta
}

export type ContactsColumnsUpdateBody = {
  name?: string
  /** For SELECT and MULTI SELECT: the allowed values. An option contains no comma. */
  options?: string[]
  /** The position in the table, counted from 1; the others move. Beyond the end means last. */
  position?: number
}

export type ContactsConversionsCreateBody = {
  /** The new type of the column (case-insensitive). */
  type: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  /** How the cells are written: `1,234.5` or `1.234,5` for NUMBER; `YYYY-MM-DD`, `DD/MM/YYYY` or `MM/DD/YYYY` for DATE. Default: the format that most cells fit. Required if dates are ambiguous. */
  format?: '1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY'
  /** For SELECT and MULTI SELECT. Default: the different values of the column. */
  options?: string[]
  /** Whether cells that do not fit the type are cleared. Default false: if there are any, the conversion fails, and the column stays as it is. */
  clear_unfit?: boolean
  /** Only check all cells; nothing is changed. Default false. */
  dry_run?: boolean
}

export type ContactsImportsCreateBody = {
  /** Only check: no row and no column is created. */
  dry_run?: boolean
  /** A column, such as Mobile or Email: a line with the same value as a row updates that row. Default: the first PHONE NUMBER column the file has values for. */
  upsert_by?: string
  /** Every line creates a row, even if a row with its phone number exists. Default: false. */
  allow_duplicates?: boolean
  /** Which types new columns get. `certain` (default): a type that all of the first thousand values fit. `likely`: also one that nearly all of them fit, and SELECT for a few recurring values. The import rejects the lines that do not fit: read the result of a dry run first. */
  detect?: 'certain' | 'likely'
  /** Whether headers that match no column create one, of the type of their values. Default: true. */
  new_columns?: boolean
  /** Headers of the file and their columns (by id or name); `""` skips a header, `*` creates a column of its name. Other headers are matched by the names of the columns, and by common names of phone, email and name columns. */
  mapping?: Record<string, string | null>
  /** Headers and the types of the columns they create, such as `{"Joined": "DATE"}`; other headers get the type of their values. */
  types?: Record<string, string | null>
  /** Headers and how their numbers or dates are written: `1,234.5`, `1.234,5`; `YYYY-MM-DD` (also names of months: `3 Apr 2026`), `DD/MM/YYYY`, `MM/DD/YYYY`. Cells are stored as `1234.5` and `2026-04-03`. Without it, the format that most values fit is used; numbers that fit both are read as in the country of the organisation; ambiguous dates (`03/04/2026`) are not read as dates. */
  formats?: Record<string, string | null>
  /** The file as text. Required unless `rows` is given. */
  csv?: string
  /** Pasted rows, at most 10,000; the first one holds the headers. */
  rows?: (string | number | null | boolean)[][]
}

export type ContactsImportsListAnswer = {
  imports: Import[]
  meta: ListMeta
}

export type ContactsRowsBulkBody = {
  /** All of them are created, or none. */
  rows: RowBody[]
}

export type ContactsRowsCreateBody = {
  /** Cells by column id or column name (case-insensitive). Numbers and booleans are stored as text; `null` or `""` clears a cell; a MULTI SELECT cell is a list or a comma-separated text. */
  columns: Record<string, unknown>
}

export type ContactsRowsExportBody = {
  /** A saved list: its filters and the given ones must match. */
  smartlist_id?: string
  /** All of them must match. A filter with `any` is a group, one of which must match; at most 50 filters including those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
  /** Words, each of which must occur in some cell of the row; a word of fewer than three characters at the beginning of the cell. Phone numbers match in any written form, numbers as a whole, dates by their beginning (`2026-01`). */
  search?: string
  /** A column, by id or name: sorts by it, rows without a value last; with a leading `-` descending. Default: newest first. While scrolling by a column, a row whose cell changes may be returned twice or not at all. */
  sort?: string
}

export type ContactsRowsQueryBody = {
  /** A saved list: its filters and the given ones must match. */
  smartlist_id?: string
  /** All of them must match. A filter with `any` is a group, one of which must match; at most 50 filters including those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
  /** Words, each of which must occur in some cell of the row; a word of fewer than three characters at the beginning of the cell. Phone numbers match in any written form, numbers as a whole, dates by their beginning (`2026-01`). */
  search?: string
  /** Rows per page; default 100. */
  limit?: number
  /** Alias of `limit`. */
  per_page?: number
  /** The page, counted from 1, up to row 10,000,000, at about the same cost at any depth. In a list of more than 10,000 rows, pages may be shifted by as many rows as were added or deleted within the last minute: to read every row exactly once, use `query_id`. */
  page?: number
  /** From the last response: continues behind its last row, at the same cost at any depth; `0` is the first page. Filters and sort need not be repeated; the total remains that of the first page. Expires a day after its last use. */
  query_id?: string
  /** A column, by id or name: sorts by it, rows without a value last; with a leading `-` descending. Default: newest first. While scrolling by a column, a row whose cell changes may be returned twice or not at all. */
  sort?: string
}

export type ContactsSendsCreateBody = {
  /** The smartlist of contacts, evaluated when the message is sent. */
  smartlist_id: string
  /** The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Your own reference of the message. */
  external_ref?: string
  /** Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** URL that delivery reports are posted to. */
  callback?: string
  /** When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged immediately; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` cancels it. A smartlist is evaluated and charged at that time. */
  send_at?: string
}

export type ContactsSmartlistsCreateBody = {
  name: string
  /** All of them must match. A filter with `any` is a group, one of which must match; at most 50 filters including those in groups. */
  filters: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
}

export type ContactsSmartlistsUpdateBody = {
  name?: string
  /** All of them must match. A filter with `any` is a group, one of which must match; at most 50 filters including those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
    operator?:
      | 'equal'
      | 'not_equal'
      | 'contain'
      | 'not_contain'
      | 'start_with'
      | 'end_with'
      | 'empty'
      | 'not_empty'
      | 'is_any'
      | 'is_none_of'
      | 'greater'
      | 'less'
      | 'before'
      | 'after'
    /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
    value?: string | number | boolean | (string | number | boolean)[]
    /** Instead of the other fields: a group of filters, one of which must match. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is equal to nothing and contains nothing, so `not_equal`, `not_contain` and `is_none_of` match it. */
      operator:
        | 'equal'
        | 'not_equal'
        | 'contain'
        | 'not_contain'
        | 'start_with'
        | 'end_with'
        | 'empty'
        | 'not_empty'
        | 'is_any'
        | 'is_none_of'
        | 'greater'
        | 'less'
        | 'before'
        | 'after'
      /** A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`. */
      value?: string | number | boolean | (string | number | boolean)[]
    }[]
  }[]
}

export type Conversation = {
  /** With whom. */
  phone: string
  /** Of the newest text; an answer goes the same way. */
  channel: 'sms' | 'whatsapp'
  /** Your sender it was sent to. */
  to: string
  /** What an answer comes from; left out on WhatsApp, and where you have none. */
  sender_id?: string
  /** Texts that came from the number so far. Give it back to mark them as read. */
  received: number
  /** The number of unread texts. */
  unread: number
  /** `closed` until the person writes again, or you reopen it. */
  status: 'open' | 'closed'
  /** The user it is assigned to; left out if it is unassigned. */
  assignee?: {
    id: string
    name: string
  }
  contact?: Contact
  received_datetime: string
  /** On WhatsApp: until then free text may be sent, 24 hours after their last. Later only a template. */
  window_until?: string
  /** They want no more messages: an answer would be rejected. */
  opted_out: boolean
}

export type ConversationMessage = {
  id: string
  /** `in`: from the person. `out`: from you. `note`: an internal note, which is sent to no one. */
  direction: 'in' | 'out' | 'note'
  /** Of texts. */
  channel?: 'sms' | 'whatsapp'
  /** One-time passwords are not in it. Left out once texts are forgotten. */
  text?: string
  /** On `whatsapp`: what it has besides its text. `type` is that of theirs. */
  whatsapp?: {
    /** `unsupported`: WhatsApp does not pass on what the person sent. */
    type?:
      | 'text'
      | 'button_reply'
      | 'list_reply'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contacts'
      | 'reaction'
      | 'order'
      | 'unsupported'
    /** The id of a received text (`/inbound`) that this message quotes, or that `reaction` is for. */
    reply_to?: string
    /** The button that was pressed. */
    button_reply?: {
      /** The `id` of the reply button, or the `payload` of the quick reply of a template. */
      id: string
      /** What the button says. */
      title: string
    }
    /** The row that was chosen in a list. */
    list_reply?: {
      /** The `id` of the row. */
      id: string
      /** What the row says. */
      title: string
      /** What it says below. */
      description?: string
    }
    location?: {
      latitude: number
      longitude: number
      /** Its name. */
      name?: string
      /** Its address. */
      address?: string
    }
    contacts?: {
      name: {
        /** The whole name. */
        formatted_name: string
        /** Required, or another part of the name. */
        first_name?: string
        /** The family name. */
        last_name?: string
      }
      phones?: {
        /** The number. */
        phone: string
        /** What it is for. */
        type?: string
        /** The number as digits, if it is on WhatsApp. */
        wa_id?: string
      }[]
      emails?: {
        /** The address. */
        email: string
        /** What it is for. */
        type?: string
      }[]
    }[]
    /** An emoji as the reaction to the text in `reply_to`; empty to remove it. */
    reaction?: string
    /** A JPEG or PNG; `content` is its caption. */
    image?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** An MP4; `content` is its caption. */
    video?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A recording. */
    audio?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A PDF or another document; `content` is its caption. */
    document?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
      /** The name that the phone shows. */
      filename?: string
    }
    /** A WebP sticker. */
    sticker?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** Above the text of buttons or a list: one of these. */
    header?: {
      /** A title. */
      text?: string
      /** An image. */
      image?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      /** A video. */
      video?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      /** A PDF or another document; `content` is its caption. */
      document?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
        /** The name that the phone shows. */
        filename?: string
      }
    }
    /** Below the text of buttons or a list. */
    footer?: string
    /** Buttons below `content` that reply when pressed. */
    reply_buttons?: {
      /** What the reply reports; distinct in the message. */
      id: string
      /** What the button says; distinct in the message. */
      title: string
    }[]
    /** Up to ten rows to choose from, below `content`. */
    list?: {
      /** The button that opens the list. */
      button: string
      /** At most 10 rows in all sections. */
      sections: {
        /** Required if there are several sections. */
        title?: string
        rows: {
          /** What the reply reports; distinct in the list. */
          id: string
          /** What the person chooses. */
          title: string
          /** More about it. */
          description?: string
        }[]
      }[]
    }
    /** A button below `content` that opens an address. */
    url_button?: {
      /** What the button says. */
      title: string
      /** The https address that it opens. */
      url: string
    }
    /** The template at Meta that it was sent as. */
    template?: {
      name: string
      language: string
    }
    /** Of a template: the values of its buttons. Their titles are those of the template at Meta. */
    buttons?: {
      /** Its position, from 0. */
      index: number
      /** The end of its URL. */
      url?: string
      /** What a quick reply reports. */
      payload?: string
      /** The code that it copies. */
      code?: string
    }[]
    /** Of a template with a carousel: the values of its cards. */
    cards?: {
      /** Above the text of buttons or a list: one of these. */
      header?: {
        /** A title. */
        text?: string
        /** An image. */
        image?: {
          /** A file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
        }
        /** A video. */
        video?: {
          /** A file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
        }
        /** A PDF or another document; `content` is its caption. */
        document?: {
          /** A file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
          /** The name that the phone shows. */
          filename?: string
        }
      }
      texts?: string[]
      buttons?: {
        /** Its position, from 0. */
        index: number
        /** The end of its URL. */
        url?: string
        /** What a quick reply reports. */
        payload?: string
        /** The code that it copies. */
        code?: string
      }[]
    }[]
  }
  /** Of a note: the user who wrote it; left out for an API key. */
  author?: string
  /** Of yours: what it came from. */
  sender_id?: string
  /** Of theirs: what they asked for by it. */
  keyword?: 'stop' | 'start' | 'help'
  media?: ReceivedMedia
  /** Of yours. */
  status?:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  pages?: number
  charge?: number
  refunded?: boolean
  send_at?: string
  /** Of yours on WhatsApp: when they read it, if they report that. */
  read_datetime?: string
  created_datetime: string
}

export type ConversationPage = {
  conversations: ListedConversation[]
  meta: ListMeta
}

export type ConversationsAnswerBody = {
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. */
  content?: string
  /** A template to send instead of `content`. On WhatsApp it needs no window. */
  template_id?: string
  /** Names of placeholders of the template, and their values. */
  substitutions?: Record<string, string>
  whatsapp?: WhatsappContent
  /** A reference of yours. */
  external_ref?: string
}

export type ConversationsAssignBody = {
  /** A user of `GET /conversations/assignees`; null to unassign it. */
  assignee_id: string | null
  /** To whom you believe it is assigned, null for no one: if that has changed, the answer is 409. */
  current_assignee_id?: string | null
}

export type ConversationsCloseBody = {
  /** As you have read it: if another text has arrived since, the answer is 409 and it stays open. */
  received?: number
}

export type ConversationsNotesCreateBody = {
  text: string
}

export type ConversationsReadBody = {
  /** As you have read it; what came after that stays unread. Without it: all there is. */
  received?: number
}

export type Conversion = {
  id: string
  column_id: string
  /** A dry run is `checking`, then `checked`. A conversion is `running`, then `done` (it can be undone) and `final`; or `undone`, or `failed`: the column is as it was. */
  status: 'checking' | 'checked' | 'running' | 'done' | 'final' | 'undone' | 'failed'
  from_type: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  type: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  format?: '1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY'
  options?: string[]
  clear_unfit: boolean
  /** Contacts read so far. */
  rows: number
  /** Cells that fit the type. */
  fits: number
  /** Cells that do not. Empty cells are in neither count. */
  unfit: number
  /** The first cells that fit, as long as the previous cells are kept. */
  examples: {
    row_id: string
    /** The cell as it is now. */
    value: string
    becomes: string
  }[]
  /** The first cells that do not fit. */
  faults: {
    row_id: string
    /** The cell as it is now. */
    value: string
    message: string
    type: string
  }[]
  undo_until?: string
  /** Why it failed. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type CountedSmartlist = {
  id: string
  name: string
  filters: (
    | {
        column_id: string
        /** Of the column. */
        name: string
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        value?: string | string[]
      }
    | {
        /** A group, one of which must match. */
        any: {
          column_id: string
          /** Of the column. */
          name: string
          operator:
            | 'equal'
            | 'not_equal'
            | 'contain'
            | 'not_contain'
            | 'start_with'
            | 'end_with'
            | 'empty'
            | 'not_empty'
            | 'is_any'
            | 'is_none_of'
            | 'greater'
            | 'less'
            | 'before'
            | 'after'
          value?: string | string[]
        }[]
      }
  )[]
  created_datetime: string
  updated_datetime?: string
  /** Rows in it now; counted like `count_total` of a query. */
  count: number
}

export type Delivery = {
  recipient: string
  /** The text of this recipient, if it differs from the content: of a template, or with tracked links. */
  text?: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  /** The carrier's code. */
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  /** Pages of the text to this recipient. */
  pages: number
  charge: number
  refunded: boolean
  /** The scheduled time, if it was delayed. */
  send_at?: string
  /** Clicks of people. With `is_trackable` only. */
  clicks?: number
  /** Clicks including previews and bots. With `is_trackable` only. */
  clicks_raw?: number
  clicked_datetime?: string
  /** The tracked links of this recipient. */
  links?: {
    url: string
    short_url: string
    /** Clicks of people. With `is_trackable` only. */
    clicks?: number
    /** Clicks including previews and bots. With `is_trackable` only. */
    clicks_raw?: number
    clicked_datetime?: string
  }[]
  created_datetime: string
  updated_datetime?: string
  /** On WhatsApp: when the recipient read it, if they report that. */
  read_datetime?: string
  /** On WhatsApp: the category by which Meta prices it: `marketing`, `utility`, `authentication`, `service`. */
  price_category?: string
}

export type DeliveryReport = {
  /** The message. */
  id: string
  recipient: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  channel: 'sms' | 'whatsapp'
  sender_id?: string
  external_ref?: string
  pages: number
  charge: number
  refunded: boolean
  /** The carrier's code. */
  code?: string
  description?: string
  updated_datetime: string
}

export type Erasure = {
  id: string
  /** Replaces the number: a keyed hash. The same number of the same organisation has the same hash; without the key it cannot be traced back to the number. */
  number_hash: string
  /** `done` once a scan of all tables has found nothing more. */
  status: 'running' | 'done'
  asked_by: string
  /** Tables in which the number was found, with the number of rows. */
  found: {
    table: string
    rows: number
  }[]
  /** While it runs: tables with rows in use, such as a message that is being sent. */
  waits_for?: string[]
  created_datetime: string
  ended_datetime?: string
}

export type ErasureAnswer = {
  id: string
  /** Replaces the number: a keyed hash. The same number of the same organisation has the same hash; without the key it cannot be traced back to the number. */
  number_hash: string
  /** `done` once a scan of all tables has found nothing more. */
  status: 'running' | 'done'
  asked_by: string
  /** Tables in which the number was found, with the number of rows. */
  found: {
    table: string
    rows: number
  }[]
  /** While it runs: tables with rows in use, such as a message that is being sent. */
  waits_for?: string[]
  created_datetime: string
  ended_datetime?: string
  meta: RequestMeta
}

export type ErasurePage = {
  erasures: Erasure[]
  meta: ListMeta
}

export type Estimate = {
  /** The balance after the charge. */
  available_balance: number
  /** Over all recipients. */
  charge: number
  encoding: 'GSM' | 'UCS-2'
  /** Of the longest text sent. */
  message_length: number
  /** Of the longest text sent, in the pages of its carrier: 160 and 153 characters of GSM, 70 and 67 of UCS-2. */
  pages: number
}

export type EstimatedText = {
  /** The text as sent; codes of tracked links are shown as `xxxxxxx`. */
  text: string
  /** Number of recipients of exactly this text. */
  recipients: number
  encoding: 'GSM' | 'UCS-2'
  message_length: number
  /** The highest number, if routes differ; `charge` is the sum over all routes. */
  pages: number
  /** For all its recipients. */
  charge: number
  /** The characters that force UCS-2; empty for GSM. */
  foreign_characters: {
    character: string
    code_point: string
    /** Positions in `text`, from 0, in UTF-16 units, as in JavaScript and Java. */
    positions: number[]
    /** Its replacement by smart encoding. */
    look_alike?: string
  }[]
  /** The text with smart encoding, if that changes it. */
  smart_encoding?: {
    text: string
    encoding: 'GSM' | 'UCS-2'
    message_length: number
    pages: number
    charge: number
  }
  /** Size and charge with a GSM character in place of every other one. */
  gsm?: {
    message_length: number
    pages: number
    charge: number
  }
}

export type ExplainedAttempt = {
  /** The place of the carrier in the route. */
  place?: number
  /** The name of the carrier. Only for operators of the installation. */
  carrier?: string
  /** `accepted`: the carrier took it; `moved_on`: it did not, and the next carrier was tried (its answer is not stored); otherwise the state in which the delivery ended. */
  result: 'accepted' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'failed' | 'unknown' | 'moved_on'
  /** Of the carrier. */
  code?: string
  description?: string
  /** What you can do about a delivery that did not arrive, from the table of delivery codes. */
  advice?: string
  created_datetime?: string
}

export type ExplainedCarrier = {
  /** In the order in which the route tries them, from 1. */
  place: number
  /** Its name. Only for operators of the installation. */
  carrier?: string
  /** `first`: a message would be submitted to it; `candidate`: it may be chosen for a message; `accepted`: it took the message; `rejected`: it did not, so the next one was tried; `possible`: it may have the message; `skipped`: a later one got it, because this one was down or paused; `not_chosen`: the route chose another one; `waiting`: the next attempt is here; `paused`, `draining`: so at present; `untried`: it was not needed so far; `unknown`: not stored. */
  result:
    | 'first'
    | 'candidate'
    | 'accepted'
    | 'rejected'
    | 'possible'
    | 'skipped'
    | 'not_chosen'
    | 'waiting'
    | 'paused'
    | 'draining'
    | 'untried'
    | 'unknown'
}

export type ExplainedDelivery = {
  recipient: string
  /** The explanation in English sentences, in the order in which things happened. */
  sentences: string[]
  text: ExplainedText
  price: ExplainedPrice
  route: ExplainedRoute
  /** In the order of the route. */
  carriers: ExplainedCarrier[]
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  /** When it is or was due, if it was delayed. */
  send_at?: string
  choice?: {
    /** `share`: by the shares of the route; `cheapest`: it has the lowest cost; `good_enough`: the least expensive carrier that delivers well enough; `explored`: to learn how well it delivers; `only_candidate`: no other carrier could take the message; `outage`: the preferred carrier did not deliver at that time; `contract`: to keep to the least or highest share of a carrier; `probe`: to see whether it delivers again. */
    reason: 'share' | 'cheapest' | 'good_enough' | 'explored' | 'only_candidate' | 'outage' | 'contract' | 'probe'
    /** The carrier that the evidence advised, if its advice was not followed: the message took the first one. */
    advised_place?: number
    /** The name of that carrier. Only for operators of the installation. */
    advised_carrier?: string
  }
  /** Oldest first. */
  attempts: ExplainedAttempt[]
  waits?: ExplainedWait
  refund: {
    refunded: boolean
    /** `canceled`, `rejected`, `failed`: refunded, because it was never carried; `not_charged`: it cost nothing; `accepted`: a carrier took it, so the charge stays; `possibly_accepted`: a carrier may have it; `not_over`: it is on its way. */
    reason: 'canceled' | 'rejected' | 'failed' | 'not_charged' | 'accepted' | 'possibly_accepted' | 'not_over'
    /** What was refunded. */
    amount?: number
  }
  /** Only for operators of the installation. */
  cost?: {
    cost: number
    /** The charge, unless it was refunded, minus the cost. */
    margin: number
    /** `accepted`: the carrier charges for what it accepts; `delivered`, `not_delivered`: it charges only for what is delivered; `if_delivered`: likewise, and the report is outstanding. */
    reason: 'accepted' | 'if_delivered' | 'delivered' | 'not_delivered'
  }
}

export type ExplainedEstimate = {
  recipient: string
  /** The explanation in English sentences, in the order in which things happened. */
  sentences: string[]
  text: ExplainedText
  price: ExplainedPrice
  route: ExplainedRoute
  /** In the order of the route. */
  carriers: ExplainedCarrier[]
}

export type ExplainedMessageEstimate = {
  /** Number of distinct recipients. */
  recipients: number
  /** The distinct texts, those with the most pages first; at most 20. */
  texts: EstimatedText[]
  /** Number of distinct texts. */
  texts_total: number
  smart_encoding: {
    /** Requested, or set for the organisation. */
    applied: boolean
    /** With smart encoding. */
    charge: number
  }
  /** Whether the balance, with the credit limit, covers the charge. */
  is_covered: boolean
  gsm: {
    /** With GSM characters only. */
    charge: number
  }
  meta: {
    method: string
    resource: string
    estimate: Estimate
  }
  /** With `explain`: the first recipients, at most 20. */
  explanations?: ExplainedEstimate[]
}

export type ExplainedPrice = {
  charge: number
  /** Per page. */
  price: number
  /** `price_list`: a list of the operator; `file`: the prices of the configuration file, whose history is not stored; `none`: the delivery was refused before it was priced. */
  source: 'price_list' | 'file' | 'none'
  /** The name of the price list. Only for operators of the installation. */
  price_list?: string
  /** The id of the rule. Only for operators of the installation. */
  rule_id?: number
  /** The rule that applied. Absent: not stored, because its list was deleted or the configuration file has changed. */
  rule?: {
    channel: 'sms' | 'whatsapp'
    /** Empty: any number. */
    prefix: string
    country?: string
    /** The network of the number. */
    operator?: string
    route_class?: 'transactional' | 'promotional'
    /** Per page. */
    price: number
    valid_from?: string
  }
  /** Rules for this number that were in force too, most specific first. */
  other_rules: {
    channel: 'sms' | 'whatsapp'
    /** Empty: any number. */
    prefix: string
    country?: string
    /** The network of the number. */
    operator?: string
    route_class?: 'transactional' | 'promotional'
    /** Per page. */
    price: number
    valid_from?: string
    /** Why it did not apply: it was less specific, or it is for another operator, or another class (or one of the two, where it is not known which). */
    result: 'less_specific' | 'other_operator' | 'other_class' | 'other_operator_or_class' | 'unknown'
  }[]
}

export type ExplainedRoute = {
  /** `matched`: it names what follows; `number`: it leads from the WhatsApp number of the message; `differs`: by the present configuration it does not match this number; `erased`: the person was erased, so whether it matches is unknown; `not_configured`: it is not configured any more; `test`: messages of test keys go to the simulator; `opted_out`, `dnd`, `window`: refused before any route. */
  result: 'matched' | 'number' | 'differs' | 'erased' | 'not_configured' | 'test' | 'opted_out' | 'dnd' | 'window'
  name?: string
  channel?: 'sms' | 'whatsapp'
  /** Empty: any number. */
  prefix?: string
  country?: string
  /** The network of the number. */
  operator?: string
  route_class?: 'transactional' | 'promotional'
}

export type ExplainedText = {
  /** `whatsapp`: WhatsApp has no pages. Absent: unknown, because the text is not stored any more. */
  encoding?: 'GSM' | 'UCS-2' | 'binary' | 'whatsapp'
  message_length?: number
  /** As charged. */
  pages: number
  /** Characters that a page of this text holds on its route. */
  page_size?: number
  /** Pages by the present configuration, where that differs from what was charged. */
  pages_now?: number
  /** Of UCS-2: pages with a GSM character in place of every other one. */
  gsm_pages?: number
  /** The first characters that force UCS-2. */
  forcing_characters?: {
    character: string
    code_point: string
    /** Of its first occurrence, from 0, in UTF-16 units, as in JavaScript and Java. */
    position: number
    occurrences: number
    /** Its replacement by smart encoding. */
    look_alike?: string
  }[]
  /** False: the text was redacted, or its retention has ended. */
  is_stored: boolean
}

export type ExplainedWait = {
  reason:
    | 'in_flight'
    | 'retry'
    | 'due'
    | 'no_job'
    | 'on_hold'
    | 'no_route'
    | 'not_served'
    | 'not_bound'
    | 'throttled'
    | 'paused'
    | 'draining'
    | 'rate'
    | 'refused'
    | 'waiting'
  /** So far. */
  attempts: number
  until?: string
  /** Only for operators of the installation. */
  detail?: string
}

export type Explanation = {
  id: string
  channel: 'sms' | 'whatsapp'
  created_datetime: string
  /** It carries a one-time password. */
  is_otp: boolean
  /** What was charged for the one-time password beside its messages. */
  fees?: {
    per_request?: number
    /** Refunded once it has ended without being verified. */
    per_verified?: number
    /** `per_verified` was refunded. */
    refunded: boolean
  }
  /** The campaign that it is part of. */
  campaign?: {
    id: string
    name: string
  }
  /** What is true of the whole message. */
  sentences: string[]
  deliveries: ExplainedDelivery[]
  meta: {
    method: string
    resource: string
    pagination: Pagination
  }
}

export type FoundPhone = {
  /** The number looked up. */
  msisdn: string
  /** The current operator; empty if unknown. Nigeria’s are spelled as in the airtime list. */
  operator: string
  /** In English; empty if unknown. */
  country: string
  /** The current operator is not the one that the prefix was assigned to. */
  ported: boolean
  /** Do not disturb: a registry or a carrier says so, or the person opted out of your messages. */
  dnd: boolean
  /** The source of the operator: the lookup `provider` just now, the `cache` of its answers, a `carrier` in a report, the `registry` of ported numbers, or the `prefix` alone; `none` if no source knows it. */
  source: 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'
  /** The age of that fact, in seconds. Left out for `none`. */
  age_s?: number
}

export type GuardPage = {
  prefixes: GuardedPrefix[]
  meta: ListMeta
}

export type GuardedPrefix = {
  /** Numbers without their last four digits. */
  prefix: string
  state: 'slowed' | 'blocked'
  /** OTPs sent there in the window. */
  sent: number
  /** How many of them were verified. */
  verified: number
  until_datetime: string
  created_datetime: string
  updated_datetime?: string
}

/** On `whatsapp`: the button that is pressed or the row that is chosen, a location, contacts or a reaction: one of them. `reply_to` is a message that the handset shows, or a text that it sent. */
export type HandsetContent = {
  /** The id of the message of yours, or of the text of theirs, that it answers, quotes or reacts to. Left out if it is not known any more. */
  reply_to?: string
  /** The button that was pressed. */
  button_reply?: {
    /** The `id` of the reply button, or the `payload` of the quick reply of a template. */
    id: string
    /** What the button says. */
    title: string
  }
  /** The row that was chosen in a list. */
  list_reply?: {
    /** The `id` of the row. */
    id: string
    /** What the row says. */
    title: string
    /** What it says below. */
    description?: string
  }
  location?: {
    latitude: number
    longitude: number
    /** Its name. */
    name?: string
    /** Its address. */
    address?: string
  }
  contacts?: {
    name: {
      /** The whole name. */
      formatted_name: string
      /** Required, or another part of the name. */
      first_name?: string
      /** The family name. */
      last_name?: string
    }
    phones?: {
      /** The number. */
      phone: string
      /** What it is for. */
      type?: string
      /** The number as digits, if it is on WhatsApp. */
      wa_id?: string
    }[]
    emails?: {
      /** The address. */
      email: string
      /** What it is for. */
      type?: string
    }[]
  }[]
  /** The emoji with which the person reacts to the message in `reply_to`; empty: they removed it. */
  reaction?: string
}

export type Hook = {
  /** What the path of the hook ends with: `/hooks/{name}`. */
  name: string
  /** Whose requests it takes. */
  kind: 'supabase' | 'logto' | 'authentik' | 'zitadel' | 'kratos' | 'keycloak' | 'fusionauth' | 'listmonk' | 'novu'
  created_datetime: string
}

export type HookWithSecretAnswer = {
  /** What the path of the hook ends with: `/hooks/{name}`. */
  name: string
  /** Whose requests it takes. */
  kind: 'supabase' | 'logto' | 'authentik' | 'zitadel' | 'kratos' | 'keycloak' | 'fusionauth' | 'listmonk' | 'novu'
  created_datetime: string
  /** What the other side signs or authenticates with. Shown this once. */
  secret: string
  meta: RequestMeta
}

export type HooksAnswer = {
  hooks: Hook[]
  meta: RequestMeta
}

export type HooksCreateBody = {
  /** Whose requests it takes. */
  kind: 'supabase' | 'logto' | 'authentik' | 'zitadel' | 'kratos' | 'keycloak' | 'fusionauth' | 'listmonk' | 'novu'
  /** What the other side signs or authenticates with, where it has made that itself; else one is made. */
  secret?: string
}

export type Import = {
  id: string
  status: 'uploading' | 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  dry_run: boolean
  /** The mapping of the fields; a header without a column is skipped. */
  columns: {
    header: string
    column_id?: string
    name?: string
    type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    is_new: boolean
    /** How the numbers or dates are written. */
    format?: '1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY'
    /** Formats that fit the values equally well and give them another meaning. */
    formats?: ('1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY')[]
    /** The type the column gets if you choose one of `formats`; without a choice it is TEXT. */
    detected?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    /** Of a new SELECT column: its first values. */
    options?: string[]
    /** The first values in the file; only in the response to the upload. */
    samples?: string[]
  }[]
  upsert_by?: string
  /** From 0 to 1. */
  progress: number
  /** Lines read so far, including the header. */
  lines: number
  /** Rows created; in a dry run, rows that would be created (a number that occurs twice, far apart, counts twice). */
  created: number
  updated: number
  rejected: number
  /** Why a failed import stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type ImportWithFaults = {
  id: string
  status: 'uploading' | 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  dry_run: boolean
  /** The mapping of the fields; a header without a column is skipped. */
  columns: {
    header: string
    column_id?: string
    name?: string
    type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    is_new: boolean
    /** How the numbers or dates are written. */
    format?: '1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY'
    /** Formats that fit the values equally well and give them another meaning. */
    formats?: ('1,234.5' | '1.234,5' | 'YYYY-MM-DD' | 'DD/MM/YYYY' | 'MM/DD/YYYY')[]
    /** The type the column gets if you choose one of `formats`; without a choice it is TEXT. */
    detected?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    /** Of a new SELECT column: its first values. */
    options?: string[]
    /** The first values in the file; only in the response to the upload. */
    samples?: string[]
  }[]
  upsert_by?: string
  /** From 0 to 1. */
  progress: number
  /** Lines read so far, including the header. */
  lines: number
  /** Rows created; in a dry run, rows that would be created (a number that occurs twice, far apart, counts twice). */
  created: number
  updated: number
  rejected: number
  /** Why a failed import stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  /** The first hundred; all are in the rejects. */
  faults: {
    line: number
    /** The header. */
    field: string
    /** The value in the file. */
    value?: string
    message: string
    type: string
  }[]
}

export type InboundAnswer = {
  id: string
  /** The sender of the text. */
  from: string
  /** Your sender that it was sent to. */
  to: string
  channel: 'sms' | 'whatsapp'
  /** What the person wrote; else the title of what they chose, the caption of a file, or the type in brackets. */
  text: string
  whatsapp?: ReceivedContent
  /** `stop`: the number is now blocked. `start`: it is no longer blocked. `help`: for you to answer. */
  keyword?: 'stop' | 'start' | 'help'
  media?: ReceivedMedia
  created_datetime: string
  meta: RequestMeta
}

export type InboundMessage = {
  id: string
  /** The sender of the text. */
  from: string
  /** Your sender that it was sent to. */
  to: string
  channel: 'sms' | 'whatsapp'
  /** What the person wrote; else the title of what they chose, the caption of a file, or the type in brackets. */
  text: string
  whatsapp?: ReceivedContent
  /** `stop`: the number is now blocked. `start`: it is no longer blocked. `help`: for you to answer. */
  keyword?: 'stop' | 'start' | 'help'
  media?: ReceivedMedia
  created_datetime: string
}

export type InboundPage = {
  inbound: InboundMessage[]
  meta: ListMeta
}

export type LedgerEntry = {
  /** The number of the ledger line, counted from 1. */
  id: string
  /** `opening`, `top_up`, `adjustment`, `message`, `otp` (fees of OTPs beside their messages), `airtime`, `lookup` or `refund`. */
  kind: 'opening' | 'top_up' | 'adjustment' | 'message' | 'otp' | 'airtime' | 'lookup' | 'refund'
  /** Negative for charges. */
  amount: number
  balance_after: number
  /** The message, OTP, purchase or top-up that the line is for; the first one if there are several. */
  subject_id: string
  /** The number of messages or OTPs: those accepted in the same batch are charged by one line. */
  subjects?: number
  /** The first hundred of them; each has its own charge. */
  subject_ids?: string[]
  /** For a refund of a message or of airtime: the recipient. */
  recipient?: string
  /** The reason of an operator for changing the balance. */
  note?: string
  created_datetime: string
  /** With `group=campaign`: the campaign whose lines this entry stands for. */
  campaign?: {
    id: string
    name: string
    /** Messages it was charged for, with a line each. */
    messages: number
    /** Sum of its charges. */
    charge: number
    /** Sum of its refunds so far. */
    refunded: number
  }
}

export type LinkClick = {
  /** The message. */
  id: string
  recipient: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  channel: 'sms' | 'whatsapp'
  sender_id?: string
  external_ref?: string
  /** The target of the link. */
  url: string
  clicked_datetime: string
}

export type ListMeta = {
  method: string
  resource: string
  pagination: Pagination
}

export type ListSend = {
  id: string
  smartlist_id: string
  status: 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  content: string
  template_id?: string
  template_version?: number
  external_ref?: string
  callback?: string
  send_at?: string
  /** Rows of the list processed so far. */
  rows: number
  /** Recipients the message was accepted for. */
  accepted: number
  /** Rows skipped because their number occurred before. */
  duplicates: number
  /** Rows skipped because they have no number. */
  without_number: number
  /** Rows skipped because they have no value for a placeholder. */
  incomplete: number
  /** Recipients the message was rejected for, for example because their text is too long. */
  refused: number
  /** Charged so far. */
  charge: number
  /** Why it stopped. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type ListedCallback = {
  id: string
  /** The `webhook-id`: the same for every attempt and every endpoint of the event. */
  event_id: string
  /** The registered webhook; absent for the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint responded with 410, or its webhook was disabled or deleted. `failed`: all attempts within 24 hours failed. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase of the event. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When a failed attempt is retried. Absent before the first attempt and after the last. */
  next_attempt_datetime?: string
}

export type ListedConversation = {
  /** Of its newest text or answer. */
  id: string
  /** With whom. */
  phone: string
  /** `in`: from the person. `out`: from you. */
  direction: 'in' | 'out'
  channel: 'sms' | 'whatsapp'
  /** The newest; left out once texts are forgotten. */
  text?: string
  /** Texts that came from the number so far. Give it back to mark them as read. */
  received: number
  /** The number of unread texts. */
  unread: number
  /** `closed` until the person writes again, or you reopen it. */
  status: 'open' | 'closed'
  /** The user it is assigned to; left out if it is unassigned. */
  assignee?: {
    id: string
    name: string
  }
  contact?: Contact
  created_datetime: string
}

export type ListedMessage = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. The text of each recipient is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As given in the request. Lists omit one of more than 10,000 bytes; `GET /sms/{id}` returns it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and their values. */
    substitutions: Record<string, string>
  }[]
  send_at?: string
  created_datetime: string
  updated_datetime?: string
}

export type ListedPurchase = {
  id: string
  recipient: string
  external_ref?: string
  callback?: string
  /** `pending → sent → success | failed`, or `pending → failed | duplicate | error`. The last four are final; all but `success` are refunded. */
  status: 'pending' | 'sent' | 'failed' | 'error' | 'success' | 'duplicate'
  created_datetime: string
  network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  /** Why it ended with this status. */
  description?: string
  updated_datetime?: string
  meta: {
    charge: {
      /** What was charged: the airtime and the commission. */
      amount: number
      /** The commission in it, if there is one; negative: a discount. */
      commission?: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was refunded, because nothing was bought. */
      refunded: boolean
    }
    /** Warnings, for example that the number has a prefix of another network. */
    warnings?: string[]
  }
}

export type LoggedRequest = {
  /** The `x-request-id` of the answer: yours, if you gave one. */
  request_id: string
  method: string
  /** With its query; secrets in it are masked. */
  path: string
  /** The HTTP status of the answer. */
  status: number
  /** From the request to the answer. */
  duration_ms: number
  /** The beginning of the key. */
  key?: string
  /** Left out where no key was needed, as for a hook. */
  key_id?: string
  key_name?: string
  created_datetime: string
  /** If there were too many in one second: how many of them were stored. */
  shown?: number
  /** And how many there were. */
  seen?: number
}

export type LookupAnswer = {
  /** The number looked up. */
  msisdn: string
  /** The current operator; empty if unknown. Nigeria’s are spelled as in the airtime list. */
  operator: string
  /** In English; empty if unknown. */
  country: string
  /** The current operator is not the one that the prefix was assigned to. */
  ported: boolean
  /** Do not disturb: a registry or a carrier says so, or the person opted out of your messages. */
  dnd: boolean
  meta: {
    method: string
    resource: string
    /** The source of the operator: the lookup `provider` just now, the `cache` of its answers, a `carrier` in a report, the `registry` of ported numbers, or the `prefix` alone; `none` if no source knows it. */
    source: 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'
    /** The age of that fact, in seconds. Left out for `none`. */
    age_s?: number
    /** If lookups have a price. */
    charge?: {
      amount: number
      available_balance: number
      balance_before: number
    }
  }
}

export type LookupPhoneBody = {
  /** The number to look up. */
  phone: string
}

export type LookupPhonesBody = {
  /** At most 1,000 numbers, as a list or separated by commas. A number given twice is looked up and charged once. */
  phones: string | string[]
  /** Look up the valid numbers and list the others in `invalid`, instead of refusing the request. Skipped numbers are not charged. */
  skip_invalid?: boolean
}

export type LookupsAnswer = {
  phones: FoundPhone[]
  /** With `skip_invalid`: the values that are not phone numbers, in the order given. */
  invalid?: string[]
  meta: {
    method: string
    resource: string
    /** If lookups have a price. */
    charge?: {
      amount: number
      available_balance: number
      balance_before: number
    }
  }
}

export type Media = {
  /** Of a received file: the id of its text. */
  id: string
  /** `out`: uploaded, to be sent. `in`: received from a person. */
  direction: 'in' | 'out'
  /** By its content; of a received file that is not stored, as its sender declared it. */
  type: string
  /** What a message may send it as; left out if it cannot be sent. */
  kind?: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  filename?: string
  /** In bytes. */
  size?: number
  /** Of its content, in hexadecimal. */
  sha256?: string
  /** `pending`: being downloaded from WhatsApp. `refused`: too large, or not what its sender declared. `expired`: WhatsApp no longer had it. */
  state: 'pending' | 'stored' | 'refused' | 'expired'
  /** Why it was refused. */
  reason?: string
  created_datetime: string
  /** When an uploaded file is deleted. */
  expires_datetime?: string
}

export type MediaPage = {
  media: Media[]
  meta: ListMeta
}

export type MessageCost = {
  /** The message id. */
  id: string
  channel: string
  external_ref?: string
  /** The first recipients. */
  recipients: string[]
  recipients_total: number
  /** Charged when it was accepted. */
  charge: number
  /** Refunded since, for recipients that no carrier accepted. */
  refunded: number
  /** Charge minus refunds. */
  net: number
  created_datetime: string
  /** The campaign it is part of; with `messages` the entry stands for all of them. */
  campaign?: {
    id: string
    name: string
    messages?: number
  }
}

export type MessageCostPage = {
  messages: MessageCost[]
  meta: ScrollMeta
}

export type MessageWithDeliveries = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. The text of each recipient is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As given in the request. Lists omit one of more than 10,000 bytes; `GET /sms/{id}` returns it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and their values. */
    substitutions: Record<string, string>
  }[]
  send_at?: string
  created_datetime: string
  updated_datetime?: string
  deliveries: Delivery[]
  meta: {
    method: string
    resource: string
  }
}

export type MetaTemplate = {
  /** Meta’s id. */
  id: string
  name: string
  language: string
  category: string
  /** If Meta has changed it. */
  previous_category?: string
  /** Meta’s: `pending` (in review), `approved`, `rejected`, `paused`, `disabled`, … */
  status: string
  /** Why it was rejected, paused or disabled. */
  reason?: string
  /** Meta’s score: `green`, `yellow`, `red` or `unknown`. */
  quality?: string
  /** As Meta describes them. */
  components: Record<string, unknown>[]
  /** You may change and delete it. */
  is_own: boolean
  updated_datetime: string
}

export type MetaTemplates = {
  templates: MetaTemplate[]
}

export type Optout = {
  id: string
  recipient: string
  /** `text`: the person replied STOP or another keyword. `api`: you added the number. `carrier`: the person opted out at their network or stopped your marketing messages in WhatsApp, and the carrier reported it. */
  source: 'text' | 'api' | 'carrier'
  created_datetime: string
}

export type OptoutPage = {
  optouts: Optout[]
  meta: ListMeta
}

export type OptoutsAnswer = {
  optouts: Optout[]
  meta: RequestMeta
}

export type OptoutsCreateBody = {
  /** Phone numbers to block: comma-separated or a list, at most 10,000. A number that is blocked already keeps its entry. */
  recipients: string | string[]
}

export type OrganisationSettingsAnswer = {
  name: string
  /** ISO code; national numbers such as 0803… or 803… are read as numbers of this country. */
  default_country: string
  /** Used when a message names no `sender_id`. In live mode an approved sender. */
  default_sender_id?: string
  /** Currency of all prices and the balance; set by the operator. */
  currency: string
  /** Replaces typographic characters with GSM look-alikes if that keeps a text within GSM. */
  smart_encoding: boolean
  /** The URL to which incoming messages are posted, as `text.received`. */
  inbound_url?: string
  /** Start of the quiet hours, during which promotional messages are held until `quiet_until`. In the recipient’s local time; in a country with several time zones, messages are held while it is quiet in any of them. */
  quiet_from?: string
  /** See `quiet_from`. */
  quiet_until?: string
  /** Sends free text outside WhatsApp’s 24-hour window by SMS instead of refusing it. */
  whatsapp_fallback: boolean
  /** When the balance (with the credit limit, if there is one) falls below this value, `balance.low` is posted: once, until it has been above it again. */
  low_balance?: number
  /** Time zone in which `GET /analytics` counts days and hours. Defaults to the time zone of the capital of `default_country`. */
  time_zone: string
  /** The console asks for confirmation before it sends a message to more recipients. Defaults to 100. */
  confirm_above: number
  meta: RequestMeta
}

export type OtpFigures = {
  /** One-time passwords requested. */
  requested: number
  /** Those verified in time. */
  verified: number
  /** Those that could not be delivered, or had too many wrong attempts. */
  failed: number
  /** The rest: expired, revoked, or still open, which they are for an hour at most. */
  unverified: number
  /** Verified of requested. Absent if the divisor is 0. */
  conversion?: number
}

export type OtpRecord = {
  /** Also the id of the message that carries it. */
  id: string
  recipient: string
  /** 1 SENT, 2 EXPIRED, 3 FAILED, 4 VERIFIED, 5 DELETED. */
  status: 1 | 2 | 3 | 4 | 5
  status_desc: 'SENT' | 'EXPIRED' | 'FAILED' | 'VERIFIED' | 'DELETED'
  created_datetime: string
  updated_datetime?: string
}

export type OtpRequestBody = {
  /** The phone number to send the token to. */
  recipient: string
  /** Digits of a generated token. */
  length?: number
  /** Minutes until the token expires. */
  expires_in?: number
  /** The token to send: 4–10 characters. If absent, one is generated; if present, `length` is ignored. */
  token?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
}

export type OtpSettingsAnswer = {
  template: string
  origin?: string
  fallback_channel?: 'sms' | 'whatsapp'
  fallback_after_s?: number
  resend_after_s?: number
  resend_when_late: boolean
  resend_times: number
  /** Without their tokens. */
  test_numbers: {
    recipient: string
  }[]
  updated_datetime?: string
  meta: RequestMeta
}

export type OtpSettingsUpdateBody = {
  /** The text, with `{{token}}`, `{{minutes}}` and `{{sender}}`; at most 480 characters. */
  template?: string | null
  /** The domain to which phones bind the code for autofill: the text then ends with `@domain #code`. */
  origin?: string | null
  /** The channel on which another token is sent if the first has not reported its message delivered in time; a token that the request gave is sent again. Both tokens are valid. */
  fallback_channel?: 'sms' | 'whatsapp' | null
  /** Seconds to wait for the delivery report of the first channel. */
  fallback_after_s?: number | null
  /** Seconds to wait for the delivery report from when a carrier has accepted the message; then another token is sent, on the same channel through the next carrier, at the price of a message. Not if the request gives the token, or a second channel applies. */
  resend_after_s?: number | null
  /** The other token is sent as soon as 95 % of the delivery reports would have arrived, by those of the last 24 hours for the operator of the number; after `resend_after_s` at the latest (without it: 60), and then if fewer than 200 reports are known. */
  resend_when_late?: boolean | null
  /** How often another token is sent at most (1 by default), each time if the message before it was not reported as delivered in time, and from the second time on only through a carrier that has not had the one-time password. All tokens are valid until it ends. */
  resend_times?: number | null
  /** Test numbers with a fixed token: nothing is sent or charged. Replaces the whole list. */
  test_numbers?: {
    recipient: string
    token: string
  }[]
}

export type OtpVerifyBody = {
  /** The id returned by the request. */
  id: string
  /** The token that the user entered. */
  token: string
}

export type Pagination = {
  /** `"True"` or `"False"`. */
  next_page: 'True' | 'False'
  /** `"True"` or `"False"`. */
  prev_page: 'True' | 'False'
  per_page: number
  /** Exact up to 100,000. */
  count_total: number
  page_total: number
  page: number
  /** Pass it as `query_id` to read the next page. */
  query_id: string
}

export type PeopleExportBody = {
  /** The phone number, in any spelling. */
  phone: string
}

export type PersonExport = {
  about: string
  phone: string
  written_datetime: string
  parts: {
    table: string
    /** What the table contains. */
    what: string
    /** Its rows about the number, columns by name. Unlimited: the answer is streamed. */
    entries: Record<string, unknown>[]
  }[]
}

export type PurchasePage = {
  purchases: ListedPurchase[]
  meta: ListMeta
}

export type PurchaseReport = {
  /** The purchase. */
  id: string
  recipient: string
  network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  amount: number
  status: 'pending' | 'sent' | 'failed' | 'error' | 'success' | 'duplicate'
  external_ref?: string
  refunded: boolean
}

export type ReadPurchase = {
  id: string
  recipient: string
  external_ref?: string
  callback?: string
  /** `pending → sent → success | failed`, or `pending → failed | duplicate | error`. The last four are final; all but `success` are refunded. */
  status: 'pending' | 'sent' | 'failed' | 'error' | 'success' | 'duplicate'
  created_datetime: string
  network: 'Airtel' | 'MTN' | 'Glo' | '9mobile' | 'NTEL'
  /** Why it ended with this status. */
  description?: string
  updated_datetime?: string
  meta: {
    method: string
    resource: string
    charge: {
      /** What was charged: the airtime and the commission. */
      amount: number
      /** The commission in it, if there is one; negative: a discount. */
      commission?: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was refunded, because nothing was bought. */
      refunded: boolean
    }
    /** Warnings, for example that the number has a prefix of another network. */
    warnings?: string[]
  }
}

export type ReadReceipt = {
  /** The message. */
  id: string
  recipient: string
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'expired'
    | 'rejected'
    | 'failed'
    | 'unknown'
    | 'canceled'
  channel: 'sms' | 'whatsapp'
  sender_id?: string
  external_ref?: string
  /** The category by which Meta prices it. */
  price_category?: string
  read_datetime: string
}

/** On `whatsapp`: what it is besides its text. */
export type ReceivedContent = {
  /** `unsupported`: WhatsApp does not pass on what the person sent. */
  type:
    | 'text'
    | 'button_reply'
    | 'list_reply'
    | 'image'
    | 'video'
    | 'audio'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contacts'
    | 'reaction'
    | 'order'
    | 'unsupported'
  /** The id of the message of yours, or of the text of theirs, that it answers, quotes or reacts to. Left out if it is not known any more. */
  reply_to?: string
  /** The button that was pressed. */
  button_reply?: {
    /** The `id` of the reply button, or the `payload` of the quick reply of a template. */
    id: string
    /** What the button says. */
    title: string
  }
  /** The row that was chosen in a list. */
  list_reply?: {
    /** The `id` of the row. */
    id: string
    /** What the row says. */
    title: string
    /** What it says below. */
    description?: string
  }
  location?: {
    latitude: number
    longitude: number
    /** Its name. */
    name?: string
    /** Its address. */
    address?: string
  }
  contacts?: {
    name: {
      /** The whole name. */
      formatted_name: string
      /** Required, or another part of the name. */
      first_name?: string
      /** The family name. */
      last_name?: string
    }
    phones?: {
      /** The number. */
      phone: string
      /** What it is for. */
      type?: string
      /** The number as digits, if it is on WhatsApp. */
      wa_id?: string
    }[]
    emails?: {
      /** The address. */
      email: string
      /** What it is for. */
      type?: string
    }[]
  }[]
  /** The emoji with which the person reacts to the message in `reply_to`; empty: they removed it. */
  reaction?: string
}

/** The file that came with it; its content is at `GET /media/{id}/content` once it is `stored`. */
export type ReceivedMedia = {
  id: string
  /** By its content; of a received file that is not stored, as its sender declared it. */
  type: string
  filename?: string
  /** In bytes. */
  size?: number
  /** `pending`: being downloaded from WhatsApp. `refused`: too large, or not what its sender declared. `expired`: WhatsApp no longer had it. */
  state: 'pending' | 'stored' | 'refused' | 'expired'
}

export type RegisteredSender = {
  id: string
  /** The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive. */
  sender_id: string
  /** The decision of the operator. In live mode only approved senders are used. */
  state: 'pending' | 'approved' | 'rejected'
  /** The class it is registered for with the networks. */
  class: 'transactional' | 'promotional'
  /** For the operator: purpose and owner of the name. */
  note?: string
  /** The reason of the decision. */
  reason?: string
  created_datetime: string
  updated_datetime?: string
}

export type RequestAnswer = {
  /** The `x-request-id` of the answer: yours, if you gave one. */
  request_id: string
  method: string
  /** With its query; secrets in it are masked. */
  path: string
  /** The HTTP status of the answer. */
  status: number
  /** From the request to the answer. */
  duration_ms: number
  /** The beginning of the key. */
  key?: string
  /** Left out where no key was needed, as for a hook. */
  key_id?: string
  key_name?: string
  created_datetime: string
  /** If there were too many in one second: how many of them were stored. */
  shown?: number
  /** And how many there were. */
  seen?: number
  /** What was sent, as JSON: its first 4,096 characters, without secrets. */
  body?: string
  /** What was answered, likewise. */
  answer?: string
  /** The bodies were not stored, because there were too many in a short time. */
  left_out: boolean
  meta: RequestMeta
}

export type RequestMeta = {
  method: string
  resource: string
}

export type RequestPage = {
  requests: LoggedRequest[]
  /** How many days calls are kept; 0: not at all. */
  kept_days: number
  meta: ScrollMeta
}

export type RowAnswer = {
  row: ContactRow
  table: ContactTable
}

export type RowBody = {
  /** Cells by column id or column name (case-insensitive). Numbers and booleans are stored as text; `null` or `""` clears a cell; a MULTI SELECT cell is a list or a comma-separated text. */
  columns: Record<string, unknown>
}

export type RowsAnswer = {
  rows: ContactRow[]
  table: ContactTable
  smartlist: Smartlist | null
  meta: {
    method: string
    resource: string
    pagination: {
      /** `"True"` or `"False"`. */
      next_page: 'True' | 'False'
      /** `"True"` or `"False"`. */
      prev_page: 'True' | 'False'
      per_page: number
      /** Exact up to 10,000. Larger totals are counted for a quarter of a second; if that is not enough, this is the previous total, or a lower bound. A total that took long to count is kept for up to a minute. */
      count_total: number
      page_total: number
      page: number
      /** Pass it as `query_id` to read the next page. */
      query_id: string
    }
  }
}

export type SandboxMessage = {
  id: string
  /** The message that it shows. */
  message_id: string
  recipient: string
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  text: string
  whatsapp?: SentContent
  created_datetime: string
}

export type SandboxPage = {
  messages: SandboxMessage[]
  meta: ListMeta
}

export type SandboxReplyBody = {
  /** The handset that replies. */
  from: string
  /** Your sender that it replies to. */
  to: string
  /** Required, unless `whatsapp` or `media_id` says what it is. */
  text?: string
  channel?: 'sms' | 'whatsapp'
  whatsapp?: HandsetContent
  /** On `whatsapp`: the id of a file of `/media`, which the person sends; `text` is its caption. */
  media_id?: string
}

export type Scroll = {
  /** `"True"` or `"False"`. */
  next_page: 'True' | 'False'
  per_page: number
  /** Pass it as `query_id` to read the next page; absent on the last page. */
  query_id?: string
}

export type ScrollMeta = {
  method: string
  resource: string
  pagination: Scroll
  /** How far back the search got within the time limit of one answer; `query_id` continues from there. */
  searched_until?: string
}

export type SenderAnswer = {
  id: string
  /** The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive. */
  sender_id: string
  /** The decision of the operator. In live mode only approved senders are used. */
  state: 'pending' | 'approved' | 'rejected'
  /** The class it is registered for with the networks. */
  class: 'transactional' | 'promotional'
  /** For the operator: purpose and owner of the name. */
  note?: string
  /** The reason of the decision. */
  reason?: string
  created_datetime: string
  updated_datetime?: string
  meta: RequestMeta
}

export type SenderPage = {
  senders: RegisteredSender[]
  meta: ListMeta
}

export type SendersCreateBody = {
  /** The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive. */
  sender_id: string
  /** The class it is registered for with the networks. */
  class?: 'transactional' | 'promotional'
  /** For the operator: purpose and owner of the name. */
  note?: string
}

export type SendersUpdateBody = {
  /** The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive. */
  sender_id?: string
  /** The class it is registered for with the networks. */
  class?: 'transactional' | 'promotional'
  /** For the operator: purpose and owner of the name. */
  note?: string | null
}

/** On `whatsapp`: what it has besides its text, as it was sent. */
export type SentContent = {
  /** The id of a received text (`/inbound`) that this message quotes, or that `reaction` is for. */
  reply_to?: string
  /** A JPEG or PNG; `content` is its caption. */
  image?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** An MP4; `content` is its caption. */
  video?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** A recording. */
  audio?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** A PDF or another document; `content` is its caption. */
  document?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
    /** The name that the phone shows. */
    filename?: string
  }
  /** A WebP sticker. */
  sticker?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** Above the text of buttons or a list: one of these. */
  header?: {
    /** A title. */
    text?: string
    /** An image. */
    image?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A video. */
    video?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A PDF or another document; `content` is its caption. */
    document?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
      /** The name that the phone shows. */
      filename?: string
    }
  }
  /** Below the text of buttons or a list. */
  footer?: string
  /** Buttons below `content` that reply when pressed. */
  reply_buttons?: {
    /** What the reply reports; distinct in the message. */
    id: string
    /** What the button says; distinct in the message. */
    title: string
  }[]
  /** Up to ten rows to choose from, below `content`. */
  list?: {
    /** The button that opens the list. */
    button: string
    /** At most 10 rows in all sections. */
    sections: {
      /** Required if there are several sections. */
      title?: string
      rows: {
        /** What the reply reports; distinct in the list. */
        id: string
        /** What the person chooses. */
        title: string
        /** More about it. */
        description?: string
      }[]
    }[]
  }
  /** A button below `content` that opens an address. */
  url_button?: {
    /** What the button says. */
    title: string
    /** The https address that it opens. */
    url: string
  }
  location?: {
    latitude: number
    longitude: number
    /** Its name. */
    name?: string
    /** Its address. */
    address?: string
  }
  contacts?: {
    name: {
      /** The whole name. */
      formatted_name: string
      /** Required, or another part of the name. */
      first_name?: string
      /** The family name. */
      last_name?: string
    }
    phones?: {
      /** The number. */
      phone: string
      /** What it is for. */
      type?: string
      /** The number as digits, if it is on WhatsApp. */
      wa_id?: string
    }[]
    emails?: {
      /** The address. */
      email: string
      /** What it is for. */
      type?: string
    }[]
  }[]
  /** An emoji as the reaction to the text in `reply_to`; empty to remove it. */
  reaction?: string
  /** The template at Meta that it was sent as. */
  template?: {
    name: string
    language: string
  }
  /** Of a template: the values of its buttons. Their titles are those of the template at Meta. */
  buttons?: {
    /** Its position, from 0. */
    index: number
    /** The end of its URL. */
    url?: string
    /** What a quick reply reports. */
    payload?: string
    /** The code that it copies. */
    code?: string
  }[]
  /** Of a template with a carousel: the values of its cards. */
  cards?: {
    /** Above the text of buttons or a list: one of these. */
    header?: {
      /** A title. */
      text?: string
      /** An image. */
      image?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      /** A video. */
      video?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      /** A PDF or another document; `content` is its caption. */
      document?: {
        /** A file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
        /** The name that the phone shows. */
        filename?: string
      }
    }
    texts?: string[]
    buttons?: {
      /** Its position, from 0. */
      index: number
      /** The end of its URL. */
      url?: string
      /** What a quick reply reports. */
      payload?: string
      /** The code that it copies. */
      code?: string
    }[]
  }[]
}

export type SentMessage = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. The text of each recipient is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As given in the request. Lists omit one of more than 10,000 bytes; `GET /sms/{id}` returns it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and their values. */
    substitutions: Record<string, string>
  }[]
  send_at?: string
  created_datetime: string
  updated_datetime?: string
  meta: {
    method: string
    resource: string
    estimate: Estimate
  }
}

export type SettingsUpdateBody = {
  name?: string
  /** ISO code; national numbers such as 0803… or 803… are read as numbers of this country. */
  default_country?: string
  /** Used when a message names no `sender_id`. In live mode an approved sender. */
  default_sender_id?: string | null
  /** Replaces typographic characters with GSM look-alikes if that keeps a text within GSM. */
  smart_encoding?: boolean
  /** The URL to which incoming messages are posted, as `text.received`. */
  inbound_url?: string | null
  /** Start of the quiet hours, during which promotional messages are held until `quiet_until`. In the recipient’s local time; in a country with several time zones, messages are held while it is quiet in any of them. */
  quiet_from?: string | null
  /** See `quiet_from`. */
  quiet_until?: string | null
  /** Sends free text outside WhatsApp’s 24-hour window by SMS instead of refusing it. */
  whatsapp_fallback?: boolean
  /** Time zone in which `GET /analytics` counts days and hours. Defaults to the time zone of the capital of `default_country`. */
  time_zone?: string | null
  /** The console asks for confirmation before it sends a message to more recipients. Defaults to 100. */
  confirm_above?: number | null
  /** When the balance (with the credit limit, if there is one) falls below this value, `balance.low` is posted: once, until it has been above it again. */
  low_balance?: number | null
}

export type Smartlist = {
  id: string
  name: string
  filters: (
    | {
        column_id: string
        /** Of the column. */
        name: string
        operator:
          | 'equal'
          | 'not_equal'
          | 'contain'
          | 'not_contain'
          | 'start_with'
          | 'end_with'
          | 'empty'
          | 'not_empty'
          | 'is_any'
          | 'is_none_of'
          | 'greater'
          | 'less'
          | 'before'
          | 'after'
        value?: string | string[]
      }
    | {
        /** A group, one of which must match. */
        any: {
          column_id: string
          /** Of the column. */
          name: string
          operator:
            | 'equal'
            | 'not_equal'
            | 'contain'
            | 'not_contain'
            | 'start_with'
            | 'end_with'
            | 'empty'
            | 'not_empty'
            | 'is_any'
            | 'is_none_of'
            | 'greater'
            | 'less'
            | 'before'
            | 'after'
          value?: string | string[]
        }[]
      }
  )[]
  created_datetime: string
  updated_datetime?: string
}

export type SmartlistPage = {
  smartlists: Smartlist[]
  meta: ListMeta
}

export type SmppAccount = {
  /** The name it binds with, unique in the installation. */
  system_id: string
  /** Networks and addresses it may bind from; empty: any. */
  allow_networks: string[]
  /** Maximum number of concurrent binds. */
  max_binds: number
  /** Submits per second over all of its binds; more are throttled. */
  rate_per_s: number
  /** Maximum number of unanswered submits of a bind, and of unanswered deliveries to it. */
  window_size: number
  /** The meaning of `data_coding` 0. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether received texts are delivered to it. */
  receives_texts: boolean
  /** Current number of binds. */
  binds: number
  /** Pending reports and texts for its receivers, counted up to a thousand. */
  waiting: number
  created_datetime: string
}

export type SmppAccountWithPasswordAnswer = {
  /** The name it binds with, unique in the installation. */
  system_id: string
  /** Networks and addresses it may bind from; empty: any. */
  allow_networks: string[]
  /** Maximum number of concurrent binds. */
  max_binds: number
  /** Submits per second over all of its binds; more are throttled. */
  rate_per_s: number
  /** Maximum number of unanswered submits of a bind, and of unanswered deliveries to it. */
  window_size: number
  /** The meaning of `data_coding` 0. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether received texts are delivered to it. */
  receives_texts: boolean
  /** Current number of binds. */
  binds: number
  /** Pending reports and texts for its receivers, counted up to a thousand. */
  waiting: number
  created_datetime: string
  /** The password, shown only once. */
  password: string
  meta: RequestMeta
}

export type SmppAccountsAnswer = {
  accounts: SmppAccount[]
  meta: RequestMeta
}

export type SmppAccountsCreateBody = {
  /** The name it binds with, unique in the installation. */
  system_id?: string
  /** Generated unless given. SMPP passwords have eight characters. */
  password?: string
  /** Networks and addresses it may bind from; empty: any. */
  allow_networks?: string[]
  /** Maximum number of concurrent binds. */
  max_binds?: number
  /** Submits per second over all of its binds; more are throttled. */
  rate_per_s?: number
  /** Maximum number of unanswered submits of a bind, and of unanswered deliveries to it. */
  window_size?: number
  /** The meaning of `data_coding` 0. */
  alphabet?: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether received texts are delivered to it. */
  receives_texts?: boolean
}

export type SmsEstimateBody = {
  /** Comma-separated phone numbers (an array is accepted too), at most 10,000. Duplicates are sent and charged once. */
  recipients: string | string[]
  /** The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Values per recipient for the placeholders of the template. Ignored without `template_id`: double braces in `content` are sent unchanged. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and their values. */
    substitutions: Record<string, string>
  }[]
  whatsapp?: WhatsappContent
  /** Your own reference of the message. */
  external_ref?: string
  /** Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** URL that delivery reports are posted to. */
  callback?: string
  /** When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged immediately; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` cancels it. A smartlist is evaluated and charged at that time. */
  send_at?: string
  /** Also explain the price, the route and the carriers of the first recipients (`explanations`). */
  explain?: boolean
}

export type SmsListAnswer = {
  messages: ListedMessage[]
  meta: ListMeta
}

export type SmsSendBody = {
  /** Comma-separated phone numbers (an array is accepted too), at most 10,000. Duplicates are sent and charged once. */
  recipients: string | string[]
  /** The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Values per recipient for the placeholders of the template. Ignored without `template_id`: double braces in `content` are sent unchanged. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and their values. */
    substitutions: Record<string, string>
  }[]
  whatsapp?: WhatsappContent
  /** Your own reference of the message. */
  external_ref?: string
  /** Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** URL that delivery reports are posted to. */
  callback?: string
  /** When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged immediately; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` cancels it. A smartlist is evaluated and charged at that time. */
  send_at?: string
}

export type Template = {
  id: string
  /** Counted from 1; every change creates a new one. */
  version: number
  /** A label, shown in lists. */
  name: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` if it has none. */
  content: string
  /** The distinct placeholders of `content` and `whatsapp`, in order of appearance. */
  placeholders: {
    name: string
    default?: string
  }[]
  whatsapp?: WhatsappTemplate
  created_datetime: string
  updated_datetime?: string
}

export type TemplatePage = {
  templates: Template[]
  meta: ListMeta
}

export type TemplatesCreateBody = {
  /** A label, shown in lists. */
  name: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` if it has none. */
  content: string
  whatsapp?: WhatsappTemplate
}

export type TemplatesUpdateBody = {
  /** A label, shown in lists. */
  name?: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` if it has none. */
  content?: string
  /** Null removes it. */
  whatsapp?: {
    name: string
    language: string
    /** If it is not approved in `language`: the languages to try instead, in this order. */
    fallback_languages?: string[]
    /** The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, …; of named parameters, in the order in which the text names them. */
    parameters: string[]
    /** The parameter of the WhatsApp template that each of `parameters` fills, if they are in another order. */
    parameter_names?: string[]
    /** What the header of the template takes: exactly one of these. */
    header?: {
      /** The value of its text. */
      text?: string
      image?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      video?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      document?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
        /** The name that the phone shows. */
        filename?: string
      }
      location?: {
        /** Degrees from -90 to 90. */
        latitude: string
        /** Degrees from -180 to 180. */
        longitude: string
        /** Its name. */
        name?: string
        /** Its address. */
        address?: string
      }
    }
    buttons?: {
      /** Its position, from 0. */
      index: number
      /** The end of its URL. */
      url?: string
      /** What a quick reply reports when it is pressed, at most 128 characters. */
      payload?: string
      /** The code that it copies, at most 15 characters. */
      code?: string
    }[]
    /** The cards of a carousel: all that the template has. */
    cards?: {
      /** What the header of the template takes: exactly one of these. */
      header?: {
        /** The value of its text. */
        text?: string
        image?: {
          /** The id of a file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
        }
        video?: {
          /** The id of a file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
        }
        document?: {
          /** The id of a file of `/media`; or give its `link`. */
          id?: string
          /** A public https address that Meta fetches the file from; or give its `id`. */
          link?: string
          /** The name that the phone shows. */
          filename?: string
        }
        location?: {
          /** Degrees from -90 to 90. */
          latitude: string
          /** Degrees from -180 to 180. */
          longitude: string
          /** Its name. */
          name?: string
          /** Its address. */
          address?: string
        }
      }
      /** The values of its text, in the order of its parameters. */
      texts?: string[]
      buttons?: {
        /** Its position, from 0. */
        index: number
        /** The end of its URL. */
        url?: string
        /** What a quick reply reports when it is pressed, at most 128 characters. */
        payload?: string
        /** The code that it copies, at most 15 characters. */
        code?: string
      }[]
    }[]
  } | null
}

export type TextBody = {
  /** The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default. */
  template_id?: string
  /** Percentage of people who get it. All shares add up to 100. */
  share?: number
}

export type TextClickedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.clicked'
  created_datetime: string
  data: LinkClick
}

export type TextDeliveredEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.delivered'
  created_datetime: string
  data: DeliveryReport
}

export type TextExpiredEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.expired'
  created_datetime: string
  data: DeliveryReport
}

export type TextFailedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.failed'
  created_datetime: string
  data: DeliveryReport
}

export type TextReadEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.read'
  created_datetime: string
  data: ReadReceipt
}

export type TextReceivedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.received'
  created_datetime: string
  data: InboundMessage
}

export type TextRejectedEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.rejected'
  created_datetime: string
  data: DeliveryReport
}

export type TextUndeliveredEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'text.undelivered'
  created_datetime: string
  data: DeliveryReport
}

export type Thread = {
  conversation: Conversation
  messages: ConversationMessage[]
  meta: ScrollMeta
}

export type Webhook = {
  id: string
  /** Where events are posted; in live mode a public address, or one of a network that the operator allows. */
  url: string
  events: string[]
  /** Absent for `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why it was disabled automatically. */
  disabled_reason?: string
  /** The first failed attempt since the last successful one. */
  failing_since?: string
  /** Until then, posts are also signed with the previous secret. */
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
}

export type WebhookAnswer = {
  id: string
  /** Where events are posted; in live mode a public address, or one of a network that the operator allows. */
  url: string
  events: string[]
  /** Absent for `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why it was disabled automatically. */
  disabled_reason?: string
  /** The first failed attempt since the last successful one. */
  failing_since?: string
  /** Until then, posts are also signed with the previous secret. */
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
  meta: RequestMeta
}

export type WebhookPage = {
  webhooks: Webhook[]
  meta: ListMeta
}

export type WebhookTestEvent = {
  /** The `webhook-id`: the same on every attempt. */
  id: string
  type: 'webhook.test'
  created_datetime: string
  data: {
    /** The webhook. */
    id: string
    description: string
  }
}

export type WebhookWithSecretAnswer = {
  id: string
  /** Where events are posted; in live mode a public address, or one of a network that the operator allows. */
  url: string
  events: string[]
  /** Absent for `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why it was disabled automatically. */
  disabled_reason?: string
  /** The first failed attempt since the last successful one. */
  failing_since?: string
  /** Until then, posts are also signed with the previous secret. */
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
  /** Signs its posts. Shown only once. */
  secret: string
  meta: RequestMeta
}

export type WebhooksCreateBody = {
  /** Where events are posted; in live mode a public address, or one of a network that the operator allows. */
  url: string
  /** The events it receives: `*`, `text.*`, `airtime.*`, `balance.*`, `text.delivered`, `text.undelivered`, `text.expired`, `text.rejected`, `text.failed`, `text.clicked`, `text.read`, `text.received`, `airtime.success`, `airtime.failed`, `airtime.duplicate`, `airtime.error`, `balance.low`, `balance.exhausted`, `balance.spending_limit`. Everything by default. */
  events?: string[]
  /** `standard` (default): as described here. `simpu`: the body, with `id`, `type` such as `AIRTIME_SUCCESS` and `data.object`, and the header `x-simpu-webhook-signature`, as Simpu posts them. `twilio`: form fields and `X-Twilio-Signature`, for texts only; the response to an inbound text may be TwiML, which is sent and charged, so the key needs the scope `sms` as well. It cannot be changed. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  /** Enabling it resets its failures. */
  enabled?: boolean
}

export type WebhooksReplayAnswer = {
  /** Callbacks enqueued again. */
  replayed: number
  /** False if there are more: repeat the request. */
  complete: boolean
  meta: RequestMeta
}

export type WebhooksReplayBody = {
  /** Events from this time on, with its UTC offset. */
  since: string
  /** Events before this time. */
  until?: string
}

export type WebhooksRotateBody = {
  /** How long posts are signed with both the new and the previous secret. */
  overlap_hours?: number
}

export type WebhooksUpdateBody = {
  /** Where events are posted; in live mode a public address, or one of a network that the operator allows. */
  url?: string
  /** The events it receives: `*`, `text.*`, `airtime.*`, `balance.*`, `text.delivered`, `text.undelivered`, `text.expired`, `text.rejected`, `text.failed`, `text.clicked`, `text.read`, `text.received`, `airtime.success`, `airtime.failed`, `airtime.duplicate`, `airtime.error`, `balance.low`, `balance.exhausted`, `balance.spending_limit`. Everything by default. */
  events?: string[]
  description?: string | null
  /** Enabling it resets its failures. */
  enabled?: boolean
}

/** On `whatsapp`, within 24 hours of the person’s last message: at most one of `image`, `video`, `audio`, `document`, `sticker`, `reply_buttons`, `list`, `url_button`, `location`, `contacts` and `reaction`. */
export type WhatsappContent = {
  /** Shows a preview of the first link in a text. */
  preview_url?: boolean
  /** The id of a received text (`/inbound`) that this message quotes, or that `reaction` is for. */
  reply_to?: string
  /** A JPEG or PNG; `content` is its caption. */
  image?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** An MP4; `content` is its caption. */
  video?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** A recording. */
  audio?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** A PDF or another document; `content` is its caption. */
  document?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
    /** The name that the phone shows. */
    filename?: string
  }
  /** A WebP sticker. */
  sticker?: {
    /** A file of `/media`; or give its `link`. */
    id?: string
    /** A public https address that Meta fetches the file from; or give its `id`. */
    link?: string
  }
  /** Above the text of buttons or a list: one of these. */
  header?: {
    /** A title. */
    text?: string
    /** An image. */
    image?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A video. */
    video?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    /** A PDF or another document; `content` is its caption. */
    document?: {
      /** A file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
      /** The name that the phone shows. */
      filename?: string
    }
  }
  /** Below the text of buttons or a list. */
  footer?: string
  /** Buttons below `content` that reply when pressed. */
  reply_buttons?: {
    /** What the reply reports; distinct in the message. */
    id: string
    /** What the button says; distinct in the message. */
    title: string
  }[]
  /** Up to ten rows to choose from, below `content`. */
  list?: {
    /** The button that opens the list. */
    button: string
    /** At most 10 rows in all sections. */
    sections: {
      /** Required if there are several sections. */
      title?: string
      rows: {
        /** What the reply reports; distinct in the list. */
        id: string
        /** What the person chooses. */
        title: string
        /** More about it. */
        description?: string
      }[]
    }[]
  }
  /** A button below `content` that opens an address. */
  url_button?: {
    /** What the button says. */
    title: string
    /** The https address that it opens. */
    url: string
  }
  location?: {
    latitude: number
    longitude: number
    /** Its name. */
    name?: string
    /** Its address. */
    address?: string
  }
  contacts?: {
    name: {
      /** The whole name. */
      formatted_name: string
      /** Required, or another part of the name. */
      first_name?: string
      /** The family name. */
      last_name?: string
    }
    phones?: {
      /** The number. */
      phone: string
      /** What it is for. */
      type?: string
      /** The number as digits, if it is on WhatsApp. */
      wa_id?: string
    }[]
    emails?: {
      /** The address. */
      email: string
      /** What it is for. */
      type?: string
    }[]
  }[]
  /** An emoji as the reaction to the text in `reply_to`; empty to remove it. */
  reaction?: string
}

/** The template approved by Meta that is sent instead of the text on the channel `whatsapp`. The values of header, buttons and cards are texts with placeholders, which are filled like those of `content`. Its state and all values are checked before a message is charged. */
export type WhatsappTemplate = {
  name: string
  language: string
  /** If it is not approved in `language`: the languages to try instead, in this order. */
  fallback_languages?: string[]
  /** The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, …; of named parameters, in the order in which the text names them. */
  parameters: string[]
  /** The parameter of the WhatsApp template that each of `parameters` fills, if they are in another order. */
  parameter_names?: string[]
  /** What the header of the template takes: exactly one of these. */
  header?: {
    /** The value of its text. */
    text?: string
    image?: {
      /** The id of a file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    video?: {
      /** The id of a file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
    }
    document?: {
      /** The id of a file of `/media`; or give its `link`. */
      id?: string
      /** A public https address that Meta fetches the file from; or give its `id`. */
      link?: string
      /** The name that the phone shows. */
      filename?: string
    }
    location?: {
      /** Degrees from -90 to 90. */
      latitude: string
      /** Degrees from -180 to 180. */
      longitude: string
      /** Its name. */
      name?: string
      /** Its address. */
      address?: string
    }
  }
  buttons?: {
    /** Its position, from 0. */
    index: number
    /** The end of its URL. */
    url?: string
    /** What a quick reply reports when it is pressed, at most 128 characters. */
    payload?: string
    /** The code that it copies, at most 15 characters. */
    code?: string
  }[]
  /** The cards of a carousel: all that the template has. */
  cards?: {
    /** What the header of the template takes: exactly one of these. */
    header?: {
      /** The value of its text. */
      text?: string
      image?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      video?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
      }
      document?: {
        /** The id of a file of `/media`; or give its `link`. */
        id?: string
        /** A public https address that Meta fetches the file from; or give its `id`. */
        link?: string
        /** The name that the phone shows. */
        filename?: string
      }
      location?: {
        /** Degrees from -90 to 90. */
        latitude: string
        /** Degrees from -180 to 180. */
        longitude: string
        /** Its name. */
        name?: string
        /** Its address. */
        address?: string
      }
    }
    /** The values of its text, in the order of its parameters. */
    texts?: string[]
    buttons?: {
      /** Its position, from 0. */
      index: number
      /** The end of its URL. */
      url?: string
      /** What a quick reply reports when it is pressed, at most 128 characters. */
      payload?: string
      /** The code that it copies, at most 15 characters. */
      code?: string
    }[]
  }[]
}

export type WhatsappTemplatesCreateBody = {
  /** Lowercase letters, digits and underscores. */
  name: string
  /** Such as `en` or `pt_BR`. */
  language: string
  /** `marketing`, `utility` or `authentication`, in any case. Meta may change it. */
  category: string
  /** `positional` (the default) or `named`, in any case. */
  parameter_format?: string
  /** Header, body, footer, buttons and carousel, as Meta documents them: `type` is `HEADER`, `BODY`, `FOOTER`, `BUTTONS` or `CAROUSEL`, in any case. */
  components: {
    type: string
    /** Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`, in any case. */
    format?: string
    text?: string
    example?: {
      /** A sample for the parameter of the header. */
      header_text?: string[]
      header_text_named_params?: {
        param_name: string
        example: string
      }[]
      /** The sample of a header with a file: the id of a file of `/media`, which is uploaded to Meta. JPEG or PNG, MP4, or PDF. */
      header_media_id?: string
      /** Instead of `header_media_id`: a handle that Meta’s resumable upload returned. */
      header_handle?: string[]
      /** A list with a sample for each parameter of the body. */
      body_text?: string[][]
      body_text_named_params?: {
        param_name: string
        example: string
      }[]
    }
    buttons?: {
      /** `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or `OTP` for authentication; in any case. */
      type: string
      text?: string
      /** May end in `{{1}}`. */
      url?: string
      phone_number?: string
      /** A sample: of a URL with a parameter in a list, of a code to copy the code. */
      example?: string | string[]
      /** `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`, in any case. */
      otp_type?: string
      autofill_text?: string
      zero_tap_terms_accepted?: boolean
      supported_apps?: {
        package_name: string
        signature_hash: string
      }[]
    }[]
    /** Of the body, for authentication. */
    add_security_recommendation?: boolean
    /** Of the footer, for authentication: 1 to 90. */
    code_expiration_minutes?: number
    /** Of a carousel: two to ten cards with the same components. */
    cards?: {
      components: {
        type: string
        /** Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`, in any case. */
        format?: string
        text?: string
        example?: {
          /** A sample for the parameter of the header. */
          header_text?: string[]
          header_text_named_params?: {
            param_name: string
            example: string
          }[]
          /** The sample of a header with a file: the id of a file of `/media`, which is uploaded to Meta. JPEG or PNG, MP4, or PDF. */
          header_media_id?: string
          /** Instead of `header_media_id`: a handle that Meta’s resumable upload returned. */
          header_handle?: string[]
          /** A list with a sample for each parameter of the body. */
          body_text?: string[][]
          body_text_named_params?: {
            param_name: string
            example: string
          }[]
        }
        buttons?: {
          /** `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or `OTP` for authentication; in any case. */
          type: string
          text?: string
          /** May end in `{{1}}`. */
          url?: string
          phone_number?: string
          /** A sample: of a URL with a parameter in a list, of a code to copy the code. */
          example?: string | string[]
          /** `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`, in any case. */
          otp_type?: string
          autofill_text?: string
          zero_tap_terms_accepted?: boolean
          supported_apps?: {
            package_name: string
            signature_hash: string
          }[]
        }[]
        /** Of the body, for authentication. */
        add_security_recommendation?: boolean
        /** Of the footer, for authentication: 1 to 90. */
        code_expiration_minutes?: number
      }[]
    }[]
  }[]
}

export type WhatsappTemplatesUpdateBody = {
  /** `marketing`, `utility` or `authentication`, in any case. Meta may change it. */
  category?: string
  /** Header, body, footer, buttons and carousel, as Meta documents them: `type` is `HEADER`, `BODY`, `FOOTER`, `BUTTONS` or `CAROUSEL`, in any case. */
  components: {
    type: string
    /** Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`, in any case. */
    format?: string
    text?: string
    example?: {
      /** A sample for the parameter of the header. */
      header_text?: string[]
      header_text_named_params?: {
        param_name: string
        example: string
      }[]
      /** The sample of a header with a file: the id of a file of `/media`, which is uploaded to Meta. JPEG or PNG, MP4, or PDF. */
      header_media_id?: string
      /** Instead of `header_media_id`: a handle that Meta’s resumable upload returned. */
      header_handle?: string[]
      /** A list with a sample for each parameter of the body. */
      body_text?: string[][]
      body_text_named_params?: {
        param_name: string
        example: string
      }[]
    }
    buttons?: {
      /** `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or `OTP` for authentication; in any case. */
      type: string
      text?: string
      /** May end in `{{1}}`. */
      url?: string
      phone_number?: string
      /** A sample: of a URL with a parameter in a list, of a code to copy the code. */
      example?: string | string[]
      /** `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`, in any case. */
      otp_type?: string
      autofill_text?: string
      zero_tap_terms_accepted?: boolean
      supported_apps?: {
        package_name: string
        signature_hash: string
      }[]
    }[]
    /** Of the body, for authentication. */
    add_security_recommendation?: boolean
    /** Of the footer, for authentication: 1 to 90. */
    code_expiration_minutes?: number
    /** Of a carousel: two to ten cards with the same components. */
    cards?: {
      components: {
        type: string
        /** Of a header: `TEXT`, `IMAGE`, `VIDEO`, `DOCUMENT` or `LOCATION`, in any case. */
        format?: string
        text?: string
        example?: {
          /** A sample for the parameter of the header. */
          header_text?: string[]
          header_text_named_params?: {
            param_name: string
            example: string
          }[]
          /** The sample of a header with a file: the id of a file of `/media`, which is uploaded to Meta. JPEG or PNG, MP4, or PDF. */
          header_media_id?: string
          /** Instead of `header_media_id`: a handle that Meta’s resumable upload returned. */
          header_handle?: string[]
          /** A list with a sample for each parameter of the body. */
          body_text?: string[][]
          body_text_named_params?: {
            param_name: string
            example: string
          }[]
        }
        buttons?: {
          /** `QUICK_REPLY`, `URL`, `PHONE_NUMBER`, `COPY_CODE`, or `OTP` for authentication; in any case. */
          type: string
          text?: string
          /** May end in `{{1}}`. */
          url?: string
          phone_number?: string
          /** A sample: of a URL with a parameter in a list, of a code to copy the code. */
          example?: string | string[]
          /** `COPY_CODE`, `ONE_TAP` or `ZERO_TAP`, in any case. */
          otp_type?: string
          autofill_text?: string
          zero_tap_terms_accepted?: boolean
          supported_apps?: {
            package_name: string
            signature_hash: string
          }[]
        }[]
        /** Of the body, for authentication. */
        add_security_recommendation?: boolean
        /** Of the footer, for authentication: 1 to 90. */
        code_expiration_minutes?: number
      }[]
    }[]
  }[]
}

/** The body of a callback or webhook request; `type` says which event it is. */
export type Event =
  | TextDeliveredEvent
  | TextUndeliveredEvent
  | TextExpiredEvent
  | TextRejectedEvent
  | TextFailedEvent
  | TextClickedEvent
  | TextReadEvent
  | TextReceivedEvent
  | AirtimeSuccessEvent
  | AirtimeFailedEvent
  | AirtimeDuplicateEvent
  | AirtimeErrorEvent
  | BalanceLowEvent
  | BalanceExhaustedEvent
  | BalanceSpending_limitEvent
  | WebhookTestEvent
