/**
 * The table of codes that deliveries end with: what each means, and what the sender can do about it. The carriers take
 * their descriptions from here, and the API, its reference and the console their advice.
 */
export type DeliveryCode = {
  /** As stored with the delivery, and in its callback. */
  description: string
  /** One sentence; only a delivery that arrived needs none. */
  advice?: string
  /** Codes whose meaning does not depend on the carrier's status: ours, SMPP's, Meta's, Twilio's and Android's. */
  codes?: readonly string[]
  /** Codes of receipts of Nigerian carriers, by the prefix of their `stat`: UNDEL is UNDELIV and UNDELIVERABLE. */
  receipts?: Partial<Record<Stat, readonly string[]>>
}

const STATS = ['DELIV', 'UNDEL', 'REJ', 'EXPIR'] as const
type Stat = (typeof STATS)[number]

const RETRY_LATER = 'The phone was off or out of coverage: retry later.'
export const CHECK_NUMBER = 'Check the number, and remove it from your lists if it is not in use.'
export const CHECK_SENDER = 'Register this sender ID with the operator, or send from an approved one.'
export const CHECK_TEXT = 'Reword the text or change the sender ID: the operator filters one of them.'
const CARRIER_FAULT = 'The fault is at the carrier: retry later.'
const CALL_OPERATOR = 'Ask the operator of this service to check the connection to the carrier.'
export const ON_DND = 'Send it as transactional if it is not advertising, or reach this person on another channel.'
const INBOX_FULL = 'Retry later: the phone accepts texts again once the recipient deletes some.'
export const BARRED = 'The operator has barred this line: reach this person on another number.'
export const OPTED_OUT = 'Do not send again until the recipient replies START.'
const CHECK_TEMPLATE = 'Compare the template and its values with the version that Meta approved.'
const UPLOAD_AGAIN = 'Upload the file again, and keep it until its messages are sent.'
const OTHER_ROUTE = 'Send binary messages over a route whose carrier accepts them.'
const NOT_THIS_PHONE = 'Check the SIM and the permissions of the phone that sends, or use another one.'

export const DELIVERY_CODES: readonly DeliveryCode[] = [
  { description: 'delivered', receipts: { DELIV: ['000'] } },

  {
    description: 'invalid or inactive number',
    advice: CHECK_NUMBER,
    receipts: { UNDEL: ['004', '20b', '255', '510'], EXPIR: ['215'] },
  },
  { description: 'unidentified subscriber', advice: CHECK_NUMBER, receipts: { UNDEL: ['205'] } },
  {
    description: 'absent subscriber',
    advice: RETRY_LATER,
    receipts: { UNDEL: ['058', '0dc', '021', '21b'], EXPIR: ['023', '027', '053', '054', '206', '21b'] },
  },
  { description: 'absent, ported or barred', advice: RETRY_LATER, receipts: { UNDEL: ['439'] } },
  { description: 'subscriber on DND', advice: ON_DND, receipts: { UNDEL: ['008', '085'] } },
  { description: 'subscriber barred', advice: BARRED, receipts: { UNDEL: ['130', '131'], EXPIR: ['20d'] } },
  { description: 'restricted', advice: BARRED, receipts: { UNDEL: ['432'] } },
  { description: 'inbox full', advice: INBOX_FULL, receipts: { UNDEL: ['254'], EXPIR: ['120', '220', '254'] } },
  { description: 'phone inbox full', advice: INBOX_FULL, receipts: { REJ: ['008'] } },
  { description: 'sender ID blocked', advice: CHECK_SENDER, receipts: { UNDEL: ['034'] } },
  {
    description: 'sender ID restricted by operator',
    advice: CHECK_SENDER,
    receipts: { UNDEL: ['00a'], REJ: ['00a'] },
  },
  { description: 'sender ID not whitelisted', advice: CHECK_SENDER, receipts: { EXPIR: ['40a'] } },
  {
    description: 'content or sender blocked on promotional route',
    advice: CHECK_TEXT,
    receipts: { UNDEL: ['065', '600'] },
  },
  { description: 'content restricted or sender blocked', advice: CHECK_TEXT, receipts: { EXPIR: ['078'] } },
  { description: 'operator failure or not supported', advice: CARRIER_FAULT, receipts: { UNDEL: ['032', '082'] } },
  { description: 'operator system failure', advice: CARRIER_FAULT, receipts: { EXPIR: ['222', '306', '602'] } },
  { description: 'MSC time-out', advice: CARRIER_FAULT, receipts: { EXPIR: ['400'] } },

  { description: 'the recipient has asked for no more messages', advice: OPTED_OUT, codes: ['opted_out'] },
  { description: 'the recipient is on a do-not-disturb list', advice: ON_DND, codes: ['dnd'] },
  { description: 'its file was deleted before it could be sent', advice: UPLOAD_AGAIN, codes: ['media_gone'] },
  { description: 'the carrier accepts texts only', advice: OTHER_ROUTE, codes: ['binary'] },
  {
    description: 'the number is not assigned to the organisation any more',
    advice: 'Ask the operator of this service which number is yours.',
    codes: ['number'],
  },
  { description: 'it was accepted in the sandbox, which has ended', advice: 'Send it again.', codes: ['sandbox'] },

  { description: 'the carrier is throttling', advice: CARRIER_FAULT, codes: ['RTHROTTLED'] },
  { description: "the carrier's queue is full", advice: CARRIER_FAULT, codes: ['RMSGQFUL'] },
  { description: 'the carrier has an internal error', advice: CARRIER_FAULT, codes: ['RSYSERR'] },
  { description: 'the carrier cannot accept it at present', advice: CARRIER_FAULT, codes: ['RX_T_APPN'] },
  { description: 'the carrier lost the session', advice: CARRIER_FAULT, codes: ['RINVBNDSTS'] },
  { description: 'the carrier could not accept it', advice: CALL_OPERATOR, codes: ['RSUBMITFAIL'] },
  { description: 'the carrier does not accept it', advice: CALL_OPERATOR, codes: ['RX_P_APPN'] },
  { description: 'the carrier refuses it', advice: CALL_OPERATOR, codes: ['RX_R_APPN'] },
  {
    description: 'the sender ID is not registered with the carrier',
    advice: CHECK_SENDER,
    codes: ['RINVSRCADR', 'RINVSRCTON', 'RINVSRCNPI'],
  },
  {
    description: 'the carrier does not know this number',
    advice: CHECK_NUMBER,
    codes: ['RINVDSTADR', 'RINVDSTTON', 'RINVDSTNPI'],
  },
  {
    description: 'the carrier does not accept this message format',
    advice: CALL_OPERATOR,
    codes: ['RINVMSGLEN', 'RINVESMCLASS', 'RINVDCS'],
  },

  { description: 'the sending number was deleted at Meta', advice: CALL_OPERATOR, codes: ['33'] },
  {
    description: 'the recipient is part of a Meta experiment and receives no marketing messages',
    advice: 'Send it by SMS.',
    codes: ['130472'],
  },
  {
    description: 'the business account may not send to this country',
    advice: 'Send it by SMS.',
    codes: ['130497'],
  },
  {
    description: 'the number is not on WhatsApp or cannot receive this message',
    advice: 'Send it by SMS; whatsapp_fallback does so automatically.',
    codes: ['131026'],
  },
  { description: 'the display name of the number is not approved', advice: CALL_OPERATOR, codes: ['131037'] },
  {
    description: 'the number is not registered, or its certificate is wrong',
    advice: CALL_OPERATOR,
    codes: ['131045'],
  },
  {
    description: 'the recipient has not written in the last 24 hours: WhatsApp takes only a template',
    advice: 'Send a template, or wait until the recipient writes again.',
    codes: ['131047'],
  },
  {
    description: "Meta's limit of marketing messages to this person is reached",
    advice: 'Wait a day, or send it by SMS.',
    codes: ['131049'],
  },
  {
    description: 'the recipient has stopped marketing messages from this business',
    advice: 'Send this person no more marketing messages.',
    codes: ['131050'],
  },
  { description: 'this kind of message is not supported', advice: 'Send it by SMS.', codes: ['131051'] },
  { description: 'the recipient is the sending number', advice: CHECK_NUMBER, codes: ['131021'] },
  {
    description: 'Meta restricts the business account for breaking a policy',
    advice: CALL_OPERATOR,
    codes: ['368', '131005', '131031'],
  },
  { description: 'the business account has a payment problem at Meta', advice: CALL_OPERATOR, codes: ['131042'] },
  {
    description: 'Meta could not fetch the file, or does not accept it',
    advice: 'Check that the link to the file is public, and the type and size of the file.',
    codes: ['131052', '131053'],
  },
  { description: 'an error at Meta', advice: CARRIER_FAULT, codes: ['131000', '131016'] },
  { description: 'Meta is doing maintenance on the business account', advice: CARRIER_FAULT, codes: ['131057'] },
  { description: 'the template expects a different number of values', advice: CHECK_TEMPLATE, codes: ['132000'] },
  {
    description: 'there is no such template in this language, or it is not approved',
    advice: CHECK_TEMPLATE,
    codes: ['132001'],
  },
  {
    description: 'the text is too long once its values are filled in',
    advice: 'Shorten the values of the template.',
    codes: ['132005'],
  },
  {
    description: 'a value of the template has line breaks, tabs or too many spaces',
    advice: CHECK_TEMPLATE,
    codes: ['132018'],
  },
  { description: "the template breaks one of Meta's rules", advice: CHECK_TEMPLATE, codes: ['132007'] },
  {
    description: 'a value does not have the format that the template requires',
    advice: CHECK_TEMPLATE,
    codes: ['132012'],
  },
  {
    description: 'the template is paused because of low quality',
    advice: 'Use another template: recipients blocked or reported this one.',
    codes: ['132015'],
  },
  {
    description: 'the template is disabled because of low quality',
    advice: 'Use another template: recipients blocked or reported this one.',
    codes: ['132016'],
  },

  { description: 'the handset is unreachable', advice: RETRY_LATER, codes: ['30003'] },
  { description: 'the recipient or the operator blocks the message', advice: CHECK_TEXT, codes: ['30004'] },
  { description: 'the handset is unknown', advice: CHECK_NUMBER, codes: ['30005'] },
  {
    description: 'the number is a landline or its operator is unreachable',
    advice: 'Send to a mobile number of this person.',
    codes: ['30006', '21614'],
  },
  { description: 'the carrier filtered the message', advice: CHECK_TEXT, codes: ['30007'] },
  { description: 'the carrier reported no cause', advice: CARRIER_FAULT, codes: ['30008'] },
  { description: 'the number is invalid', advice: CHECK_NUMBER, codes: ['21211'] },
  { description: 'the recipient has unsubscribed', advice: OPTED_OUT, codes: ['21610'] },

  { description: 'canceled on the phone', advice: 'Send it again if it was canceled by mistake.', codes: ['canceled'] },
  {
    description: 'it expired before the phone sent it',
    advice: 'Check that the phone that sends is switched on and online.',
    codes: ['expired'],
  },
  {
    description: 'the phone that fetched it has not reported since',
    advice: 'Check that the phone that sends is online. Resend it only if receiving it twice does no harm.',
    codes: ['silent'],
  },
  {
    description: 'the phone that sends has no network',
    advice: 'Move the phone that sends to better coverage, and switch off its flight mode.',
    codes: ['radio_off', 'no_service', 'radio_not_available', 'ril_radio_not_available', 'network_reject'],
  },
  {
    description: 'the phone reached its limit of texts',
    advice: 'Retry later, or add another phone.',
    codes: ['limit_exceeded', 'ril_request_rate_limited'],
  },
  {
    description: 'this phone or SIM may not send it',
    advice: NOT_THIS_PHONE,
    codes: ['app', 'ril_sim_absent', 'fdn_check_failure', 'invalid_smsc_address', 'operation_not_allowed'],
  },
  { description: 'the phone did not send it', advice: NOT_THIS_PHONE, codes: ['generic_failure', 'modem_error'] },
]

/** Advice for an outcome whose code is not in the table. */
const BY_STATUS: Readonly<Record<string, string>> = {
  undelivered: 'Retry once later; if that fails too, check the number.',
  expired: RETRY_LATER,
  rejected: 'Check the number, the sender ID and the text; the description is that of the carrier.',
  failed: 'Send it again: it never left, and its charge was refunded.',
  unknown: 'Resend it only if receiving it twice does no harm: it may have arrived.',
}

/** Every sentence of advice. */
export const ALL_ADVICE: ReadonlySet<string> = new Set([
  ...DELIVERY_CODES.flatMap(({ advice = [] }) => advice),
  ...Object.values(BY_STATUS),
])

const PLAIN = new Map(DELIVERY_CODES.flatMap((row) => (row.codes ?? []).map((code) => [code, row] as const)))
const IN_RECEIPTS = new Map(
  DELIVERY_CODES.flatMap((row) =>
    Object.entries(row.receipts ?? {}).flatMap(([stat, codes]) =>
      codes.map((code) => [`${stat} ${code}`, row] as const),
    ),
  ),
)

/** The meaning of a code; `status` is that of the delivery or the `stat` of a receipt. Undefined if unknown. */
export function describeCode(status: string, code: string): string | undefined {
  return findCode(status, code)?.description
}

/**
 * The words for a code that is counted without the status it came with: receipts use a few codes for two reasons, which
 * are both named. A counted delivery without a code has its status instead.
 */
export function wordsOfCode(code: string): { description?: string; advice?: string } {
  const of_status = Object.hasOwn(BY_STATUS, code) ? BY_STATUS[code] : undefined
  const rows = STATS.flatMap((stat) => findCode(stat, code) ?? [])
  const advice = joined([...rows.map((row) => row.advice), of_status])
  return {
    ...(rows.length === 0 || of_status !== undefined
      ? {}
      : { description: joined(rows.map(({ description }) => description)) }),
    ...(advice === '' ? {} : { advice }),
  }
}

function joined(sentences: readonly (string | undefined)[]): string {
  return [...new Set(sentences.filter((sentence) => sentence !== undefined))].join(' / ')
}

/** The description of a code that is in the table, whatever the status. */
export function descriptionOf(code: string): string {
  const row = PLAIN.get(code)
  if (!row) throw new Error(`the table of delivery codes lacks ${code}`)
  return row.description
}

/** What the sender can do about a delivery that did not arrive; undefined for one that did, or may still. */
export function adviceFor({ status, code }: { status: string; code?: string | null | undefined }): string | undefined {
  if (!Object.hasOwn(BY_STATUS, status)) return undefined
  return findCode(status, code ?? '')?.advice ?? BY_STATUS[status]
}

function findCode(status: string, code: string): DeliveryCode | undefined {
  const word = status.toUpperCase()
  const stat = STATS.find((one) => word.startsWith(one))
  return PLAIN.get(code) ?? IN_RECEIPTS.get(`${stat} ${code.toLowerCase()}`)
}
