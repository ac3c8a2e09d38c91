// Written by `npm run clients` from openapi.json.

export type AccountPage = {
  balance: number
  currency: string
  /** Below this `balance.low` is posted, as in the settings. */
  low_balance?: number
  /** With `from` or `until`: the balance before the first line of that time. */
  opening_balance?: number
  /** With `from` or `until`: the balance after the last line of that time. */
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
  /** Where to post how it ended. */
  callback?: string
  /** Your own reference, to find the purchase again. */
  external_ref?: string
}

export type AirtimeDuplicateEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'airtime.duplicate'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeErrorEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'airtime.error'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeFailedEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'airtime.failed'
  created_datetime: string
  data: PurchaseReport
}

export type AirtimeSuccessEvent = {
  /** The `webhook-id`: the same on every try. */
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
  /** Every step has its place, also where nothing happened. */
  series: {
    /** When the step began. */
    start_datetime: string
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those that were taken back before they left. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** What was charged for them. */
    cost: number
    /** What of that was given back. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Left out where there is nothing to divide by. */
    delivery_rate?: number
    otp?: OtpFigures
  }[]
  by?: 'channel' | 'country' | 'operator' | 'sender' | 'route' | 'error' | 'template'
  /** Those with the most messages first; by error, with the most failures. */
  values?: {
    /** A channel, an ISO country code, a country code with an operator’s name (`NG MTN`, by the prefix of the number), a sender ID, a route, an error code, or the id of a template. Empty where there is none. */
    value: string
    /** What a template is called. */
    name?: string
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those that were taken back before they left. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** What was charged for them. */
    cost: number
    /** What of that was given back. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Left out where there is nothing to divide by. */
    delivery_rate?: number
    otp?: OtpFigures
    previous?: AnalyticsFigures
  }[]
  /** All other values together, where there are more. */
  other?: {
    /** Recipients of messages that were accepted and charged. */
    accepted: number
    /** Those that were delivered. */
    delivered: number
    /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
    failed: number
    /** Those on which no carrier ever reported. */
    unknown: number
    /** Those that were taken back before they left. */
    canceled: number
    /** Pages of those that were accepted. */
    pages: number
    /** What was charged for them. */
    cost: number
    /** What of that was given back. */
    refunded: number
    /** Delivered of those that ended: delivered, failed or unknown. Left out where there is nothing to divide by. */
    delivery_rate?: number
    otp?: OtpFigures
    previous?: AnalyticsFigures
  }
  /** See `compare`. */
  previous?: {
    from: string
    until: string
    totals: AnalyticsFigures
    /** Every step has its place, also where nothing happened. */
    series: {
      /** When the step began. */
      start_datetime: string
      /** Recipients of messages that were accepted and charged. */
      accepted: number
      /** Those that were delivered. */
      delivered: number
      /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
      failed: number
      /** Those on which no carrier ever reported. */
      unknown: number
      /** Those that were taken back before they left. */
      canceled: number
      /** Pages of those that were accepted. */
      pages: number
      /** What was charged for them. */
      cost: number
      /** What of that was given back. */
      refunded: number
      /** Delivered of those that ended: delivered, failed or unknown. Left out where there is nothing to divide by. */
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
  /** Those that ended `undelivered`, `expired`, `rejected` or `failed`. */
  failed: number
  /** Those on which no carrier ever reported. */
  unknown: number
  /** Those that were taken back before they left. */
  canceled: number
  /** Pages of those that were accepted. */
  pages: number
  /** What was charged for them. */
  cost: number
  /** What of that was given back. */
  refunded: number
  /** Delivered of those that ended: delivered, failed or unknown. Left out where there is nothing to divide by. */
  delivery_rate?: number
  otp?: OtpFigures
}

export type BalanceLowEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'balance.low'
  created_datetime: string
  data: {
    /** What was left when it was seen. */
    balance: number
    /** As in the settings. */
    low_balance: number
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
      amount: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was given back, because nothing was bought. */
      refunded: boolean
    }
    /** What we noticed, such as a number that looks like one of another network. */
    warnings?: string[]
  }
}

export type BulkAnswer = {
  rows: ContactRow[]
  table: ContactTable
}

export type CallbackAnswer = {
  id: string
  /** The `webhook-id`: the same on every try, and at every endpoint the event goes to. */
  event_id: string
  /** The registered webhook it is for; absent: the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint answered 410, or its webhook was disabled or deleted. `failed`: given up after 24 hours. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase it tells about. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When it is tried again, after a try that failed. Absent before the first try, and once it is over. */
  next_attempt_datetime?: string
  meta: RequestMeta
}

export type CallbackPage = {
  callbacks: ListedCallback[]
  meta: ListMeta
}

export type CallbackWithAttemptsAnswer = {
  id: string
  /** The `webhook-id`: the same on every try, and at every endpoint the event goes to. */
  event_id: string
  /** The registered webhook it is for; absent: the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint answered 410, or its webhook was disabled or deleted. `failed`: given up after 24 hours. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase it tells about. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When it is tried again, after a try that failed. Absent before the first try, and once it is over. */
  next_attempt_datetime?: string
  /** What was posted, byte for byte. */
  body: string
  attempts_log: {
    attempt: number
    /** What the endpoint answered. */
    status_code?: number
    /** Why there was no answer. */
    reason?: string
    /** The first bytes of the answer. */
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
        /** A group, of which one must hold. */
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
  /** Entries that were uploaded. */
  uploaded: number
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
    /** Everybody was looked at. */
    is_complete: boolean
    /** Entries of the list looked at so far. */
    rows: number
    /** Who will get it. */
    people: number
    /** What it will cost: every text was composed, every page counted. */
    charge: number
    /** How long the texts are. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** Who get a text of this size. */
      people: number
      /** For all of them. */
      charge: number
    }[]
    /** Who will not get it, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** As it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
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
    /** Charged and on their way, or there. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when their turn came, such as who opted out since the estimate. */
    dropped: number
    /** Canceled before they were handed over. */
    taken_back: number
    /** Refunded for these. */
    given_back: number
  }
  /** Why it stands still: `by_hand`, `insufficient_balance`, `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it could not go on. */
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
        /** A group, of which one must hold. */
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
  /** Entries that were uploaded. */
  uploaded: number
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
    /** Everybody was looked at. */
    is_complete: boolean
    /** Entries of the list looked at so far. */
    rows: number
    /** Who will get it. */
    people: number
    /** What it will cost: every text was composed, every page counted. */
    charge: number
    /** How long the texts are. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** Who get a text of this size. */
      people: number
      /** For all of them. */
      charge: number
    }[]
    /** Who will not get it, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** As it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
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
    /** Charged and on their way, or there. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when their turn came, such as who opted out since the estimate. */
    dropped: number
    /** Canceled before they were handed over. */
    taken_back: number
    /** Refunded for these. */
    given_back: number
  }
  /** Why it stands still: `by_hand`, `insufficient_balance`, `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it could not go on. */
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

export type CampaignReportAnswer = {
  /** Who it was accepted for. */
  people: number
  /** By the state of their delivery; `waiting` was not handed over yet. */
  outcomes: Record<string, number>
  clicked: number
  /** Who wrote to us within 72 hours of it. */
  replied: number
  /** Who asked for silence within 72 hours of it. */
  opted_out: number
  /** Charged, less what was refunded. */
  charge: number
  refunded: number
  /** Who did not get it, by reason and operator; the most first. */
  failures: {
    outcome: string
    /** As the carrier gave it. */
    code: string
    /** What the code means, where that is known. */
    description?: string
    operator: string
    people: number
  }[]
  operators: {
    operator: string
    people: number
    delivered: number
  }[]
  /** When it came to that. */
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
    /** Of those it was sent to. */
    delivered_rate: number
    /** Of those it was delivered to. */
    clicked_rate: number
  }[]
  /** Of several texts the one that did best, counted from 1: by clicks where links are tracked, else by deliveries. Left out while the difference may be chance. */
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
        /** A group, of which one must hold. */
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
  /** Entries that were uploaded. */
  uploaded: number
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
    /** Everybody was looked at. */
    is_complete: boolean
    /** Entries of the list looked at so far. */
    rows: number
    /** Who will get it. */
    people: number
    /** What it will cost: every text was composed, every page counted. */
    charge: number
    /** How long the texts are. */
    sizes: {
      text_number: number
      encoding: string
      pages: number
      /** Who get a text of this size. */
      people: number
      /** For all of them. */
      charge: number
    }[]
    /** Who will not get it, by reason: `opted_out`, `dnd`, `no_number`, `bad_number`, `twice`, `incomplete`, `too_long`, `no_route`, `no_window`. */
    left_out: Record<string, number>
    /** The first few texts, and the longest. */
    samples: {
      recipient: string
      /** As it will be sent; the codes of tracked links are shown as `xxxxxxx`. */
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
    /** Charged and on their way, or there. */
    accepted: number
    /** Charged so far. */
    charge: number
    /** Left out when their turn came, such as who opted out since the estimate. */
    dropped: number
    /** Canceled before they were handed over. */
    taken_back: number
    /** Refunded for these. */
    given_back: number
  }
  /** Why it stands still: `by_hand`, `insufficient_balance`, `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`). */
  pause_reason?: string
  /** Why it could not go on. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  started_datetime?: string
  ended_datetime?: string
  /** How many people it has reached which end, counted within seconds. `waiting` is not handed over yet. */
  outcomes: Record<string, number>
  meta: RequestMeta
}

export type CampaignsAddRecipientsBody = {
  recipients?: {
    to: string
    /** Values for the placeholders, by name in any case. */
    substitutions?: Record<string, string>
  }[]
  /** In place of `recipients`: lines of CSV, the first with the names. The numbers stand in the column called phone, mobile, number, to or the like, or else in the first one. */
  csv?: string
}

export type CampaignsCreateBody = {
  /** For you to tell it from others. */
  name?: string
  /** Who gets it: a smartlist of contacts. Left out, it is who is uploaded to `/campaigns/{id}/recipients`. */
  smartlist_id?: string
  /** Must hold beside those of the smartlist. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** The text. Needed unless `template_id` is given. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`; it wins over it. A placeholder without a value or a default refuses the request. */
  template_id?: string
  /** In place of `content` or `template_id`: several texts, each for a share of the people (split test). */
  texts?: TextBody[]
  /** What the phone shows as the sender: 1–11 letters, digits, blanks or `-_.&`. Needed on `sms` unless the organisation has a default sender. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** Your own reference, to find the message again. */
  external_ref?: string
  /** Replace every http and https link by a short one of our own that counts clicks, another for each recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replace typographic quotes, dashes, dots and blanks by their GSM look-alikes, when that brings the whole text into GSM. Left out, the setting of the organisation counts. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. A promotional message does not disturb numbers on a do-not-disturb list: they are rejected with code `dnd` and not charged, or, where the operator has set it so, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** Where to post delivery reports. */
  callback?: string
  /** When it begins, at most 35 days ahead: a date-time with its offset from UTC. At once if left out. */
  send_at?: string
  /** So many people an hour, and no more. */
  pace_per_hour?: number
  /** Nobody is sent to from this time of their day on, by the time zones of their country. Without it the quiet hours of the organisation hold for promotional campaigns. */
  quiet_from?: string
  /** When the quiet hours end. */
  quiet_until?: string
}

export type CampaignsStartBody = {
  /** As the estimate says: what is confirmed is what was seen. */
  people: number
  /** As the estimate says. */
  charge: number
}

export type CampaignsTestBody = {
  /** Comma-separated phone numbers (an array is accepted too), at most 10,000. A number given twice is sent and charged once. */
  recipients: string | string[]
  /** Which of several texts, counted from 1. */
  text?: number
}

export type CampaignsUpdateBody = {
  /** For you to tell it from others. */
  name?: string
  /** Who gets it: a smartlist of contacts. Left out, it is who is uploaded to `/campaigns/{id}/recipients`. */
  smartlist_id?: string | null
  /** Must hold beside those of the smartlist. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** The text. Needed unless `template_id` is given. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`; it wins over it. A placeholder without a value or a default refuses the request. */
  template_id?: string
  /** In place of `content` or `template_id`: several texts, each for a share of the people (split test). */
  texts?: TextBody[]
  /** What the phone shows as the sender: 1–11 letters, digits, blanks or `-_.&`. Needed on `sms` unless the organisation has a default sender. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** Your own reference, to find the message again. */
  external_ref?: string
  /** Replace every http and https link by a short one of our own that counts clicks, another for each recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replace typographic quotes, dashes, dots and blanks by their GSM look-alikes, when that brings the whole text into GSM. Left out, the setting of the organisation counts. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. A promotional message does not disturb numbers on a do-not-disturb list: they are rejected with code `dnd` and not charged, or, where the operator has set it so, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** Where to post delivery reports. */
  callback?: string
  /** When it begins, at most 35 days ahead: a date-time with its offset from UTC. At once if left out. */
  send_at?: string | null
  /** So many people an hour, and no more. */
  pace_per_hour?: number | null
  /** Nobody is sent to from this time of their day on, by the time zones of their country. Without it the quiet hours of the organisation hold for promotional campaigns. */
  quiet_from?: string | null
  /** When the quiet hours end. */
  quiet_until?: string | null
}

export type Change = {
  id: string
  action: 'set' | 'delete'
  /** `final` is one that cannot be taken back any more. */
  status: 'running' | 'done' | 'undoing' | 'undone' | 'final'
  /** Rows changed or deleted so far; those that said so already are not counted. */
  rows: number
  /** Rows that are again as they were. */
  restored: number
  /** Rows that somebody has changed since, and that were left so. */
  not_restored: number
  undo_until?: string
  /** Why it could not go on. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type Column = {
  id: string
  name: string
  type: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  /** What the cells of a SELECT or MULTI SELECT column may say. */
  options?: string[]
}

export type ColumnAnswer = {
  column: Column
  table: ContactTable
}

export type ContactRow = {
  id: string
  /** Column ids and the cells. Empty cells are left out. */
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
  /** For `set`: the one column, by id or name, and what its cells are to say; `null` or `""` clears them. */
  columns?: Record<string, unknown>
  /** The rows, by id. One that is not there any more is passed over. */
  row_ids?: string[]
  /** In place of `row_ids`: all rows a query finds. An empty one finds every row. */
  query?: {
    /** All of them must hold. One with `any` is a group, of which one must; at most 50 with those in groups. */
    filters?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
      /** In place of all the others: a group of filters, of which one must hold. */
      any?: {
        /** The column, by its id. */
        column_id?: string
        /** The column, by its name, where no `column_id` is given. */
        name?: string
        /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** But not these rows. */
    except?: string[]
  }
}

export type ContactsColumnsCreateBody = {
  name: string
  /** One of TEXT, NUMBER, DATE, PHONE NUMBER, EMAIL, URL, SELECT, MULTI SELECT, in any case; TEXT if left out. */
  type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
  /** For SELECT and MULTI SELECT: what a cell may say. No option holds a comma. */
  options?: string[]
}

export type ContactsColumnsListAnswer = {
  columns: Column[]
  meta: RequestMeta
}

export type ContactsColumnsUpdateBody = {
  name?: string
  /** For SELECT and MULTI SELECT: what a cell may say. No option holds a comma. */
  options?: string[]
  /** The place in the table, counted from 1; the others make room. Behind the last is the last. */
  position?: number
}

export type ContactsImportsCreateBody = {
  /** Only check: no row and no column is made. */
  dry_run?: boolean
  /** A column, such as Mobile or Email: a line with the same value as a row changes that row. Left out, it is the first PHONE NUMBER column the file has values for. */
  upsert_by?: string
  /** Every line is a new row, also where a row with its phone number is there already. False if left out. */
  allow_duplicates?: boolean
  /** Whether headers that fit no column make a new one, of the type their values have. True if left out. */
  new_columns?: boolean
  /** Headers of the file and the columns (by id or name) they go to; `""` leaves a header out, `*` makes a new column of its name. Headers that are not named here are guessed: by the names of the columns, and by what phone, mail and name columns are usually called. */
  mapping?: Record<string, string | null>
  /** The file as text. Needed unless `rows` is given. */
  csv?: string
  /** Pasted rows, at most 10,000; the first one holds the headers. */
  rows?: (string | number | null | boolean)[][]
}

export type ContactsImportsListAnswer = {
  imports: Import[]
  meta: ListMeta
}

export type ContactsRowsBulkBody = {
  /** All of them are made, or none. */
  rows: RowBody[]
}

export type ContactsRowsCreateBody = {
  /** Cells by column id, or by column name in any case. Numbers and booleans are taken as text; `null` or `""` clears a cell; a MULTI SELECT cell is a list or a comma-separated text. */
  columns: Record<string, unknown>
}

export type ContactsRowsExportBody = {
  /** A saved list: its filters and the given ones must hold. */
  smartlist_id?: string
  /** All of them must hold. One with `any` is a group, of which one must; at most 50 with those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** Words, each of which must stand in some cell of the row, anywhere in it; one of fewer than three characters at its beginning. Phone numbers in any written form, numbers as a whole, dates by their beginning (`2026-01`). */
  search?: string
  /** A column, by id or name: sorts by it, rows without a value last. With `-` in front: downwards. Newest first if left out. While scrolling by a column, a row whose cell changes may be seen twice or not at all. */
  sort?: string
}

export type ContactsRowsQueryBody = {
  /** A saved list: its filters and the given ones must hold. */
  smartlist_id?: string
  /** All of them must hold. One with `any` is a group, of which one must; at most 50 with those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** Words, each of which must stand in some cell of the row, anywhere in it; one of fewer than three characters at its beginning. Phone numbers in any written form, numbers as a whole, dates by their beginning (`2026-01`). */
  search?: string
  /** Rows per page; 100 if left out. */
  limit?: number
  /** Another name of `limit`. */
  per_page?: number
  /** The page, counted from 1. Reaches 100,000 rows in; beyond that use `query_id`. */
  page?: number
  /** From the last answer: reads on behind its last row, at the same cost however deep; `0` is the first page. Filters and sort need not be given again; the total stays that of the first page. Forgotten a day after its last use. */
  query_id?: string
  /** A column, by id or name: sorts by it, rows without a value last. With `-` in front: downwards. Newest first if left out. While scrolling by a column, a row whose cell changes may be seen twice or not at all. */
  sort?: string
}

export type ContactsSendsCreateBody = {
  /** The smartlist of contacts. Whoever fits when it is sent is in it. */
  smartlist_id: string
  /** What the phone shows as the sender: 1–11 letters, digits, blanks or `-_.&`. Needed on `sms` unless the organisation has a default sender. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** The text. Needed unless `template_id` is given. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`; it wins over it. A placeholder without a value or a default refuses the request. */
  template_id?: string
  /** Your own reference, to find the message again. */
  external_ref?: string
  /** Replace every http and https link by a short one of our own that counts clicks, another for each recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replace typographic quotes, dashes, dots and blanks by their GSM look-alikes, when that brings the whole text into GSM. Left out, the setting of the organisation counts. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. A promotional message does not disturb numbers on a do-not-disturb list: they are rejected with code `dnd` and not charged, or, where the operator has set it so, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** Where to post delivery reports. */
  callback?: string
  /** When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged at once; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` takes it back. A smartlist is looked at and charged at that time. */
  send_at?: string
}

export type ContactsSmartlistsCreateBody = {
  name: string
  /** All of them must hold. One with `any` is a group, of which one must; at most 50 with those in groups. */
  filters: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** All of them must hold. One with `any` is a group, of which one must; at most 50 with those in groups. */
  filters?: {
    /** The column, by its id. */
    column_id?: string
    /** The column, by its name, where no `column_id` is given. */
    name?: string
    /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
    /** In place of all the others: a group of filters, of which one must hold. */
    any?: {
      /** The column, by its id. */
      column_id?: string
      /** The column, by its name, where no `column_id` is given. */
      name?: string
      /** One of `equal`, `not_equal`, `contain`, `not_contain`, `start_with`, `end_with`, `empty`, `not_empty`, `is_any`, `is_none_of`, `greater`, `less`, `before`, `after`. Text is compared without case, phone numbers in any written form. `greater` and `less` are for NUMBER columns, `before` and `after` for DATE columns. An empty cell is neither equal to nor contained in anything, so `not_equal`, `not_contain` and `is_none_of` find it. */
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
  /** How many of them nobody has read. */
  unread: number
  received_datetime: string
  /** On WhatsApp: until then free text may be sent, 24 hours after their last. Later only a template. */
  window_until?: string
  /** They want no more messages: an answer would be rejected. */
  opted_out: boolean
}

export type ConversationMessage = {
  id: string
  /** `in`: from the person. `out`: from you. */
  direction: 'in' | 'out'
  channel: 'sms' | 'whatsapp'
  /** One-time passwords are not in it. Left out once texts are forgotten. */
  text?: string
  /** Of yours: what it came from. */
  sender_id?: string
  /** Of theirs: what they asked for by it. */
  keyword?: 'stop' | 'start' | 'help'
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
  pages?: number
  charge?: number
  refunded?: boolean
  send_at?: string
  created_datetime: string
}

export type ConversationPage = {
  conversations: ListedConversation[]
  meta: ListMeta
}

export type ConversationsAnswerBody = {
  content: string
  /** A reference of yours. */
  external_ref?: string
}

export type ConversationsReadBody = {
  /** As you have read it; what came after that stays unread. Without it: all there is. */
  received?: number
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
        /** A group, of which one must hold. */
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
  /** Rows in it now; counted as `count_total` of a query is. */
  count: number
}

export type Delivery = {
  recipient: string
  /** What this recipient gets, where it is not the content: of a template, or with tracked links. */
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
  /** In which it goes to this recipient. */
  pages: number
  charge: number
  refunded: boolean
  /** When it goes or went, where it had to wait. */
  send_at?: string
  /** Clicks of people. With `is_trackable` only. */
  clicks?: number
  /** Previews and bots counted too. With `is_trackable` only. */
  clicks_raw?: number
  clicked_datetime?: string
  /** The tracked links of this recipient. */
  links?: {
    url: string
    short_url: string
    /** Clicks of people. With `is_trackable` only. */
    clicks?: number
    /** Previews and bots counted too. With `is_trackable` only. */
    clicks_raw?: number
    clicked_datetime?: string
  }[]
  created_datetime: string
  updated_datetime?: string
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
  /** What stands in the place of the number from now on: a keyed hash. The same number of the same organisation has the same one, and without the key nobody can tell which number it is. */
  number_hash: string
  /** `done` once all tables have been walked through and nothing was found any more. */
  status: 'running' | 'done'
  asked_by: string
  /** Where something was found, and in how many rows. */
  found: {
    table: string
    rows: number
  }[]
  /** While it runs: tables with rows that somebody has in hand, such as a message that is just being sent. */
  waits_for?: string[]
  created_datetime: string
  ended_datetime?: string
}

export type ErasureAnswer = {
  id: string
  /** What stands in the place of the number from now on: a keyed hash. The same number of the same organisation has the same one, and without the key nobody can tell which number it is. */
  number_hash: string
  /** `done` once all tables have been walked through and nothing was found any more. */
  status: 'running' | 'done'
  asked_by: string
  /** Where something was found, and in how many rows. */
  found: {
    table: string
    rows: number
  }[]
  /** While it runs: tables with rows that somebody has in hand, such as a message that is just being sent. */
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
  /** Of the longest text sent, as its carrier takes it: 160 and 153 characters of GSM, 70 and 67 of UCS-2. */
  pages: number
}

export type EstimatedText = {
  /** As it would be sent; the codes of tracked links are shown as `xxxxxxx`. */
  text: string
  /** How many would get exactly this. */
  recipients: number
  encoding: 'GSM' | 'UCS-2'
  message_length: number
  /** Where carriers take it in different ways, the most; `charge` is then the sum of what each needs. */
  pages: number
  /** For all that get it. */
  charge: number
  /** What forces UCS-2; nothing where it is GSM. */
  foreign_characters: {
    character: string
    code_point: string
    /** Where in `text`, counted from 0 in UTF-16 units, as JavaScript and Java do. */
    positions: number[]
    /** What smart encoding would put in its place. */
    look_alike?: string
  }[]
  /** What smart encoding makes of it, where it can do anything. */
  smart_encoding?: {
    text: string
    encoding: 'GSM' | 'UCS-2'
    message_length: number
    pages: number
    charge: number
  }
  /** What it would come to with a GSM character in the place of every other. */
  gsm?: {
    message_length: number
    pages: number
    charge: number
  }
}

export type FoundPhone = {
  /** The number looked up. */
  msisdn: string
  /** The present operator; empty when unknown. Nigeria’s are spelled as in the airtime list. */
  operator: string
  /** In English; empty when unknown. */
  country: string
  /** The present operator is not the one the prefix was given to. */
  ported: boolean
  /** Do not disturb: a registry or a carrier says so, or the person opted out of your messages. */
  dnd: boolean
  /** Who named the operator: the lookup `provider` just now, the `cache` of its answers, a `carrier` in a report, the `registry` of ported numbers, or the `prefix` alone; `none` when nobody did. */
  source: 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'
  /** How old that is, in seconds. Left out for `none`. */
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
  /** Where the fields go; a header without a column is left out. */
  columns: {
    header: string
    column_id?: string
    name?: string
    type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    is_new: boolean
    /** The first values in the file; only in the answer to the upload. */
    samples?: string[]
  }[]
  upsert_by?: string
  /** From 0 to 1. */
  progress: number
  /** Lines read so far, the headers among them. */
  lines: number
  /** Rows made, or in a dry run: that would be made. There, a number that comes twice in the file, far apart, counts twice. */
  created: number
  updated: number
  rejected: number
  /** Why a failed import could not go on. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type ImportWithFaults = {
  id: string
  status: 'uploading' | 'queued' | 'running' | 'done' | 'failed' | 'canceled'
  dry_run: boolean
  /** Where the fields go; a header without a column is left out. */
  columns: {
    header: string
    column_id?: string
    name?: string
    type?: 'TEXT' | 'NUMBER' | 'DATE' | 'PHONE NUMBER' | 'EMAIL' | 'URL' | 'SELECT' | 'MULTI SELECT'
    is_new: boolean
    /** The first values in the file; only in the answer to the upload. */
    samples?: string[]
  }[]
  upsert_by?: string
  /** From 0 to 1. */
  progress: number
  /** Lines read so far, the headers among them. */
  lines: number
  /** Rows made, or in a dry run: that would be made. There, a number that comes twice in the file, far apart, counts twice. */
  created: number
  updated: number
  rejected: number
  /** Why a failed import could not go on. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
  /** The first hundred; all of them are in the rejects. */
  faults: {
    line: number
    /** The header. */
    field: string
    /** What stands there in the file. */
    value?: string
    message: string
    type: string
  }[]
}

export type InboundAnswer = {
  id: string
  /** Who wrote. */
  from: string
  /** Your sender it was sent to. */
  to: string
  channel: 'sms' | 'whatsapp'
  text: string
  /** `stop`: the number is blocked now. `start`: it is not any more. `help`: yours to answer. */
  keyword?: 'stop' | 'start' | 'help'
  created_datetime: string
  meta: RequestMeta
}

export type InboundMessage = {
  id: string
  /** Who wrote. */
  from: string
  /** Your sender it was sent to. */
  to: string
  channel: 'sms' | 'whatsapp'
  text: string
  /** `stop`: the number is blocked now. `start`: it is not any more. `help`: yours to answer. */
  keyword?: 'stop' | 'start' | 'help'
  created_datetime: string
}

export type InboundPage = {
  inbound: InboundMessage[]
  meta: ListMeta
}

export type LedgerEntry = {
  /** The number of the line, counted from 1. */
  id: string
  /** `opening`, `top_up`, `adjustment`, `message`, `airtime`, `lookup` or `refund`. */
  kind: 'opening' | 'top_up' | 'adjustment' | 'message' | 'airtime' | 'lookup' | 'refund'
  /** Negative for charges. */
  amount: number
  balance_after: number
  /** The message, purchase or top-up the line is for; the first of them where it is for several. */
  subject_id: string
  /** Messages that were accepted in the same moment are charged by one line: how many they are. */
  subjects?: number
  /** The first hundred of them; each tells its own charge. */
  subject_ids?: string[]
  /** For a refund: whose. */
  recipient?: string
  /** Why the operator moved the balance. */
  note?: string
  created_datetime: string
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
  /** Where the link leads. */
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
  /** Rows of the list looked at so far. */
  rows: number
  /** Recipients the message was accepted for. */
  accepted: number
  /** Rows left out because their number came before. */
  duplicates: number
  /** Rows left out because they have no number. */
  without_number: number
  /** Rows left out because a placeholder has no value in them. */
  incomplete: number
  /** Recipients the message was refused for, such as a text that became too long. */
  refused: number
  /** Charged so far. */
  charge: number
  /** Why it could not go on. */
  fault?: string
  created_datetime: string
  updated_datetime?: string
}

export type ListedCallback = {
  id: string
  /** The `webhook-id`: the same on every try, and at every endpoint the event goes to. */
  event_id: string
  /** The registered webhook it is for; absent: the `callback` of a request. */
  webhook_id?: string
  type: string
  url: string
  /** `stopped`: the endpoint answered 410, or its webhook was disabled or deleted. `failed`: given up after 24 hours. */
  status: 'pending' | 'delivered' | 'stopped' | 'failed'
  attempts: number
  /** The message or purchase it tells about. */
  subject_id: string
  created_datetime: string
  updated_datetime?: string
  /** When it is tried again, after a try that failed. Absent before the first try, and once it is over. */
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
  /** How many of them nobody has read. */
  unread: number
  created_datetime: string
}

export type ListedMessage = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. What each recipient got is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As it was sent. A list leaves out one of more than 10,000 bytes; `GET /sms/{id}` has it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and the values to put in their place. */
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
  /** Why it ended so. */
  description?: string
  updated_datetime?: string
  meta: {
    charge: {
      amount: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was given back, because nothing was bought. */
      refunded: boolean
    }
    /** What we noticed, such as a number that looks like one of another network. */
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
  /** Where there were too many at once: how many of them are kept. */
  shown?: number
  /** And how many there were. */
  seen?: number
}

export type LookupAnswer = {
  /** The number looked up. */
  msisdn: string
  /** The present operator; empty when unknown. Nigeria’s are spelled as in the airtime list. */
  operator: string
  /** In English; empty when unknown. */
  country: string
  /** The present operator is not the one the prefix was given to. */
  ported: boolean
  /** Do not disturb: a registry or a carrier says so, or the person opted out of your messages. */
  dnd: boolean
  meta: {
    method: string
    resource: string
    /** Who named the operator: the lookup `provider` just now, the `cache` of its answers, a `carrier` in a report, the `registry` of ported numbers, or the `prefix` alone; `none` when nobody did. */
    source: 'provider' | 'cache' | 'carrier' | 'registry' | 'prefix' | 'none'
    /** How old that is, in seconds. Left out for `none`. */
    age_s?: number
    /** Where lookups cost something. */
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
  /** Answer for the numbers there are, and name what is no number in `invalid`, in place of refusing all of them. What is skipped is not charged. */
  skip_invalid?: boolean
}

export type LookupsAnswer = {
  phones: FoundPhone[]
  /** With `skip_invalid`: what was given and is no phone number, in the order given. */
  invalid?: string[]
  meta: {
    method: string
    resource: string
    /** Where lookups cost something. */
    charge?: {
      amount: number
      available_balance: number
      balance_before: number
    }
  }
}

export type MessageCost = {
  /** Of the message. */
  id: string
  channel: string
  external_ref?: string
  /** The first of them. */
  recipients: string[]
  recipients_total: number
  /** Taken when it was accepted. */
  charge: number
  /** Given back since, for who was never reached by a carrier. */
  refunded: number
  /** What it cost after that. */
  net: number
  created_datetime: string
}

export type MessageCostPage = {
  messages: MessageCost[]
  meta: ScrollMeta
}

export type MessageEstimate = {
  /** How many would get it, each number once. */
  recipients: number
  /** The different texts, those with the most pages first; at most 20. */
  texts: EstimatedText[]
  /** How many different texts there are. */
  texts_total: number
  smart_encoding: {
    /** Asked for in the request, or set for the organisation. */
    applied: boolean
    /** With smart encoding. */
    charge: number
  }
  gsm: {
    /** With GSM characters only. */
    charge: number
  }
  meta: {
    method: string
    resource: string
    estimate: Estimate
  }
}

export type MessageWithDeliveries = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. What each recipient got is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As it was sent. A list leaves out one of more than 10,000 bytes; `GET /sms/{id}` has it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and the values to put in their place. */
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

export type Optout = {
  id: string
  recipient: string
  /** `text`: the person wrote STOP or the like. `api`: you added the number. `carrier`: the person opted out at their network or stopped your marketing messages in WhatsApp, and the carrier reported it. */
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
  /** Who gets no more messages: comma-separated phone numbers or a list of them, at most 10,000. A number that is blocked already stays as it is. */
  recipients: string | string[]
}

export type OrganisationSettingsAnswer = {
  name: string
  /** ISO code; national numbers such as 0803… or 803… are read as numbers of this country. */
  default_country: string
  /** Used when a message names no `sender_id`. In live mode an approved sender. */
  default_sender_id?: string
  /** Of all prices and the balance; set by the operator. */
  currency: string
  /** Typographic characters become their GSM look-alikes where that keeps a text in GSM. */
  smart_encoding: boolean
  /** Where texts that people send you are posted, as `text.received`. */
  inbound_url?: string
  /** From this time on, until `quiet_until`, promotional messages wait. By the clock of the recipient; where a country has several time zones, it must be quiet in none of them. */
  quiet_from?: string
  /** See `quiet_from`. */
  quiet_until?: string
  /** Free text outside WhatsApp’s 24-hour window goes by SMS instead of being refused. */
  whatsapp_fallback: boolean
  /** When the balance falls below this, `balance.low` is posted: once, until it has been above it again. */
  low_balance?: number
  /** By its clock days and hours of `GET /analytics` are counted. Without a choice of yours, the clock of the capital of `default_country`. */
  time_zone: string
  meta: RequestMeta
}

export type OtpFigures = {
  /** One-time passwords that were asked for. */
  requested: number
  /** Those whose token was told in time. */
  verified: number
  /** Those that could not be delivered, or had too many wrong tries. */
  failed: number
  /** The rest: expired, revoked, or still open, which they are for an hour at most. */
  unverified: number
  /** Verified of requested. Left out where there is nothing to divide by. */
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
  /** The token to send: 4–10 letters or digits. Without it one is generated; with it, `length` is ignored. */
  token?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
}

export type OtpSettingsAnswer = {
  template: string
  origin?: string
  fallback_channel?: 'sms' | 'whatsapp'
  fallback_after_s?: number
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
  /** The domain phones may fill the code in for: the text then ends with `@domain #code`. */
  origin?: string | null
  /** Where the token goes as well when the first channel has not reported it delivered in time. */
  fallback_channel?: 'sms' | 'whatsapp' | null
  /** How long the first channel has. */
  fallback_after_s?: number | null
  /** Numbers with a fixed token: nothing is sent and nothing charged. Replaces the list. */
  test_numbers?: {
    recipient: string
    token: string
  }[]
}

export type OtpVerifyBody = {
  /** As given when the token was requested. */
  id: string
  /** What the person typed. */
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
  /** Give it back to read on. */
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
    /** What the table is, to somebody who has never seen it. */
    what: string
    /** Its rows about the number, columns by name. As many as there are: the answer is streamed. */
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
  /** Why it ended so. */
  description?: string
  updated_datetime?: string
  meta: {
    method: string
    resource: string
    charge: {
      amount: number
      /** The balance after the charge. */
      available_balance: number
      /** The balance before the charge. */
      balance_before: number
      /** The charge was given back, because nothing was bought. */
      refunded: boolean
    }
    /** What we noticed, such as a number that looks like one of another network. */
    warnings?: string[]
  }
}

export type RegisteredSender = {
  id: string
  /** What the phone shows: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits); texts people send to it are yours. Compared without regard to case. */
  sender_id: string
  /** The word of the operator. In live mode only approved senders are used. */
  state: 'pending' | 'approved' | 'rejected'
  /** What it is to be registered for with the networks. */
  class: 'transactional' | 'promotional'
  /** For the operator: what it is for, whose name it is. */
  note?: string
  /** Why the operator decided so. */
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
  /** Where there were too many at once: how many of them are kept. */
  shown?: number
  /** And how many there were. */
  seen?: number
  /** What was sent, as JSON: its first 4,096 characters, without secrets. */
  body?: string
  /** What was answered, likewise. */
  answer?: string
  /** There was more at once than is kept: the call is known, and what was said in it is not. */
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
  /** Cells by column id, or by column name in any case. Numbers and booleans are taken as text; `null` or `""` clears a cell; a MULTI SELECT cell is a list or a comma-separated text. */
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
      /** Exact up to 10,000. More are counted for a quarter of a second; if that is not enough, this is what was counted within the last minute, or else the number there are at least. */
      count_total: number
      page_total: number
      page: number
      /** Give it back to read on. */
      query_id: string
    }
  }
}

export type SandboxMessage = {
  id: string
  recipient: string
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  text: string
  created_datetime: string
}

export type SandboxPage = {
  messages: SandboxMessage[]
  meta: ListMeta
}

export type SandboxReplyBody = {
  /** The handset that answers. */
  from: string
  /** Your sender it answers to. */
  to: string
  text: string
  channel?: 'sms' | 'whatsapp'
}

export type Scroll = {
  /** `"True"` or `"False"`. */
  next_page: 'True' | 'False'
  per_page: number
  /** Give it back to read on; left out at the end. */
  query_id?: string
}

export type ScrollMeta = {
  method: string
  resource: string
  pagination: Scroll
  /** How far back was looked in the time there is for one answer; `query_id` looks on from there. */
  searched_until?: string
}

export type SenderAnswer = {
  id: string
  /** What the phone shows: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits); texts people send to it are yours. Compared without regard to case. */
  sender_id: string
  /** The word of the operator. In live mode only approved senders are used. */
  state: 'pending' | 'approved' | 'rejected'
  /** What it is to be registered for with the networks. */
  class: 'transactional' | 'promotional'
  /** For the operator: what it is for, whose name it is. */
  note?: string
  /** Why the operator decided so. */
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
  /** What the phone shows: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits); texts people send to it are yours. Compared without regard to case. */
  sender_id: string
  /** What it is to be registered for with the networks. */
  class?: 'transactional' | 'promotional'
  /** For the operator: what it is for, whose name it is. */
  note?: string
}

export type SendersUpdateBody = {
  /** What the phone shows: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits); texts people send to it are yours. Compared without regard to case. */
  sender_id?: string
  /** What it is to be registered for with the networks. */
  class?: 'transactional' | 'promotional'
  /** For the operator: what it is for, whose name it is. */
  note?: string | null
}

export type SentMessage = {
  id: string
  recipients: string[]
  sender_id?: string
  channel: 'sms' | 'whatsapp'
  is_trackable: boolean
  /** The text; of a template, with its placeholders. What each recipient got is in the deliveries. */
  content?: string
  external_ref?: string
  callback?: string
  template_id?: string
  /** The version it was made of. */
  template_version?: number
  /** As it was sent. A list leaves out one of more than 10,000 bytes; `GET /sms/{id}` has it. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and the values to put in their place. */
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
  /** Typographic characters become their GSM look-alikes where that keeps a text in GSM. */
  smart_encoding?: boolean
  /** Where texts that people send you are posted, as `text.received`. */
  inbound_url?: string | null
  /** From this time on, until `quiet_until`, promotional messages wait. By the clock of the recipient; where a country has several time zones, it must be quiet in none of them. */
  quiet_from?: string | null
  /** See `quiet_from`. */
  quiet_until?: string | null
  /** Free text outside WhatsApp’s 24-hour window goes by SMS instead of being refused. */
  whatsapp_fallback?: boolean
  /** By its clock days and hours of `GET /analytics` are counted. Without a choice of yours, the clock of the capital of `default_country`. */
  time_zone?: string | null
  /** When the balance falls below this, `balance.low` is posted: once, until it has been above it again. */
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
        /** A group, of which one must hold. */
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
  /** The name it binds under, unique in the installation. */
  system_id: string
  /** Networks and addresses it may bind from; with none, from anywhere. */
  allow_networks: string[]
  /** Binds at a time. */
  max_binds: number
  /** Submits a second over all of its binds; what is more is throttled. */
  rate_per_s: number
  /** Submits of a bind that may be unanswered at a time, and deliveries to it. */
  window_size: number
  /** What `data_coding` 0 means to it. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether texts that people write are delivered to it. */
  receives_texts: boolean
  /** Binds that are up. */
  binds: number
  /** Reports and texts that wait for a receiver, counted up to a thousand. */
  waiting: number
  created_datetime: string
}

export type SmppAccountWithPasswordAnswer = {
  /** The name it binds under, unique in the installation. */
  system_id: string
  /** Networks and addresses it may bind from; with none, from anywhere. */
  allow_networks: string[]
  /** Binds at a time. */
  max_binds: number
  /** Submits a second over all of its binds; what is more is throttled. */
  rate_per_s: number
  /** Submits of a bind that may be unanswered at a time, and deliveries to it. */
  window_size: number
  /** What `data_coding` 0 means to it. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether texts that people write are delivered to it. */
  receives_texts: boolean
  /** Binds that are up. */
  binds: number
  /** Reports and texts that wait for a receiver, counted up to a thousand. */
  waiting: number
  created_datetime: string
  /** What it binds with. Shown this once. */
  password: string
  meta: RequestMeta
}

export type SmppAccountsAnswer = {
  accounts: SmppAccount[]
  meta: RequestMeta
}

export type SmppAccountsCreateBody = {
  /** The name it binds under, unique in the installation. */
  system_id?: string
  /** Where the client has one already; else one is made. SMPP has room for eight characters. */
  password?: string
  /** Networks and addresses it may bind from; with none, from anywhere. */
  allow_networks?: string[]
  /** Binds at a time. */
  max_binds?: number
  /** Submits a second over all of its binds; what is more is throttled. */
  rate_per_s?: number
  /** Submits of a bind that may be unanswered at a time, and deliveries to it. */
  window_size?: number
  /** What `data_coding` 0 means to it. */
  alphabet?: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** Whether texts that people write are delivered to it. */
  receives_texts?: boolean
}

export type SmsListAnswer = {
  messages: ListedMessage[]
  meta: ListMeta
}

export type SmsSendBody = {
  /** Comma-separated phone numbers (an array is accepted too), at most 10,000. A number given twice is sent and charged once. */
  recipients: string | string[]
  /** What the phone shows as the sender: 1–11 letters, digits, blanks or `-_.&`. Needed on `sms` unless the organisation has a default sender. */
  sender_id?: string
  /** `sms` (the default) or `whatsapp`, in any case. */
  channel?: 'sms' | 'whatsapp'
  /** The text. Needed unless `template_id` is given. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`; it wins over it. A placeholder without a value or a default refuses the request. */
  template_id?: string
  /** Values per recipient for the placeholders of the template. Without `template_id` it does nothing: double braces in `content` are sent as they are. */
  personalisation?: {
    /** The recipient these values are for. */
    to: string
    /** Placeholder names and the values to put in their place. */
    substitutions: Record<string, string>
  }[]
  /** Your own reference, to find the message again. */
  external_ref?: string
  /** Replace every http and https link by a short one of our own that counts clicks, another for each recipient. Pages are counted with the short links. */
  is_trackable?: boolean
  /** Replace typographic quotes, dashes, dots and blanks by their GSM look-alikes, when that brings the whole text into GSM. Left out, the setting of the organisation counts. Only on `sms`. */
  smart_encoding?: boolean
  /** `transactional` (the default) or `promotional`, in any case. A promotional message does not disturb numbers on a do-not-disturb list: they are rejected with code `dnd` and not charged, or, where the operator has set it so, sent on the transactional route at its price. */
  route_class?: 'transactional' | 'promotional'
  /** Where to post delivery reports. */
  callback?: string
  /** When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged at once; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` takes it back. A smartlist is looked at and charged at that time. */
  send_at?: string
}

export type Template = {
  id: string
  /** Counted from 1; every change makes a new one. */
  version: number
  /** For you, to tell templates apart. */
  name: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` where there is none. */
  content: string
  /** What is in double braces, in order of appearance, each once. */
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
  /** For you, to tell templates apart. */
  name: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` where there is none. */
  content: string
  whatsapp?: WhatsappTemplate
}

export type TemplatesUpdateBody = {
  /** For you, to tell templates apart. */
  name?: string
  /** The text. `{{name}}` is replaced by the value `name` of the recipient, `{{name|there}}` by `there` where there is none. */
  content?: string
  /** Null takes it away. */
  whatsapp?: {
    name: string
    language: string
    /** The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, … */
    parameters: string[]
  } | null
}

export type TextBody = {
  /** The text. Needed unless `template_id` is given. At most ten pages on `sms`. */
  content?: string
  /** A template to send instead of `content`; it wins over it. A placeholder without a value or a default refuses the request. */
  template_id?: string
  /** How many of a hundred get it. Together they are 100. */
  share?: number
}

export type TextClickedEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.clicked'
  created_datetime: string
  data: LinkClick
}

export type TextDeliveredEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.delivered'
  created_datetime: string
  data: DeliveryReport
}

export type TextExpiredEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.expired'
  created_datetime: string
  data: DeliveryReport
}

export type TextFailedEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.failed'
  created_datetime: string
  data: DeliveryReport
}

export type TextReceivedEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.received'
  created_datetime: string
  data: InboundMessage
}

export type TextRejectedEvent = {
  /** The `webhook-id`: the same on every try. */
  id: string
  type: 'text.rejected'
  created_datetime: string
  data: DeliveryReport
}

export type TextUndeliveredEvent = {
  /** The `webhook-id`: the same on every try. */
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
  /** Where events are posted; in live mode a public address, or one of a network that the operator has named. */
  url: string
  events: string[]
  /** Left out where it is `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why we disabled it. */
  disabled_reason?: string
  /** The first failed try since the last one that succeeded. */
  failing_since?: string
  /** Until then the secret before the last rotation signs too. */
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
}

export type WebhookAnswer = {
  id: string
  /** Where events are posted; in live mode a public address, or one of a network that the operator has named. */
  url: string
  events: string[]
  /** Left out where it is `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why we disabled it. */
  disabled_reason?: string
  /** The first failed try since the last one that succeeded. */
  failing_since?: string
  /** Until then the secret before the last rotation signs too. */
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
  /** The `webhook-id`: the same on every try. */
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
  /** Where events are posted; in live mode a public address, or one of a network that the operator has named. */
  url: string
  events: string[]
  /** Left out where it is `standard`. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  enabled: boolean
  /** Why we disabled it. */
  disabled_reason?: string
  /** The first failed try since the last one that succeeded. */
  failing_since?: string
  /** Until then the secret before the last rotation signs too. */
  old_secret_until?: string
  created_datetime: string
  updated_datetime?: string
  /** What its posts are signed with. Shown this once. */
  secret: string
  meta: RequestMeta
}

export type WebhooksCreateBody = {
  /** Where events are posted; in live mode a public address, or one of a network that the operator has named. */
  url: string
  /** What it hears of: `*`, `text.*`, `airtime.*`, `text.delivered`, `text.undelivered`, `text.expired`, `text.rejected`, `text.failed`, `text.clicked`, `text.received`, `airtime.success`, `airtime.failed`, `airtime.duplicate`, `airtime.error`, `balance.low`. Everything by default. */
  events?: string[]
  /** `standard` (the default): as described here. `simpu`: the body, with `id`, `type` such as `AIRTIME_SUCCESS` and `data.object`, and the header `x-simpu-webhook-signature`, as Simpu posts them. `twilio`: form fields and `X-Twilio-Signature`, for texts only; what people write may be answered with TwiML, which is sent and charged, so the key needs the scope `sms` as well. It cannot be changed. */
  format?: 'standard' | 'simpu' | 'twilio'
  description?: string
  /** Enabling it starts it afresh, whatever it was disabled for. */
  enabled?: boolean
}

export type WebhooksReplayAnswer = {
  /** Callbacks put in line again. */
  replayed: number
  /** False when there are more: ask again. */
  complete: boolean
  meta: RequestMeta
}

export type WebhooksReplayBody = {
  /** Events from this time on, with its offset. */
  since: string
  /** Events before this time. */
  until?: string
}

export type WebhooksRotateBody = {
  /** How long posts are signed with both secrets, the new one and the one before. */
  overlap_hours?: number
}

export type WebhooksUpdateBody = {
  /** Where events are posted; in live mode a public address, or one of a network that the operator has named. */
  url?: string
  /** What it hears of: `*`, `text.*`, `airtime.*`, `text.delivered`, `text.undelivered`, `text.expired`, `text.rejected`, `text.failed`, `text.clicked`, `text.received`, `airtime.success`, `airtime.failed`, `airtime.duplicate`, `airtime.error`, `balance.low`. Everything by default. */
  events?: string[]
  description?: string | null
  /** Enabling it starts it afresh, whatever it was disabled for. */
  enabled?: boolean
}

/** The template approved by Meta that is sent instead of the text on the channel `whatsapp`. Its state and the number of its values are checked before a message is charged. */
export type WhatsappTemplate = {
  name: string
  language: string
  /** The placeholders of `content` whose values its text takes, in the order of `{{1}}`, `{{2}}`, … */
  parameters: string[]
}

/** The body of a callback or webhook request; `type` says which event it is. */
export type Event =
  | TextDeliveredEvent
  | TextUndeliveredEvent
  | TextExpiredEvent
  | TextRejectedEvent
  | TextFailedEvent
  | TextClickedEvent
  | TextReceivedEvent
  | AirtimeSuccessEvent
  | AirtimeFailedEvent
  | AirtimeDuplicateEvent
  | AirtimeErrorEvent
  | BalanceLowEvent
  | WebhookTestEvent
