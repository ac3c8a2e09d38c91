import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { makeActivity } from './activity.ts'
import { makeAnalytics } from './analytics/tally.ts'
import { makeDurations } from './durations.ts'

/** What the operator can watch. Made once per process; rooms count, `GET /metrics` reads. */
export type Meters = ReturnType<typeof makeMeters>

export function makeMeters() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'gangan_' })
  return {
    registry,
    /** Per organisation, for the console. */
    activity: makeActivity(),
    analytics: makeAnalytics(),
    requests: makeDurations(registry, {
      name: 'gangan_http_request_duration_seconds',
      help: 'Answers given, by route, method and status.',
      label_names: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    accepted: new Counter({
      name: 'gangan_deliveries_accepted_total',
      help: 'Deliveries accepted and charged, by channel.',
      labelNames: ['channel'] as const,
      registers,
    }),
    handed_over: makeDurations(registry, {
      name: 'gangan_hand_over_seconds',
      help: 'From the request until a carrier has taken the message, for messages that go at once, by route and carrier.',
      label_names: ['route', 'carrier'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    }),
    clicks: new Counter({
      name: 'gangan_clicks_total',
      help: 'Tracked links opened, by people and by previews or bots.',
      labelNames: ['by'] as const,
      registers,
    }),
    deliveries: new Counter({
      name: 'gangan_deliveries_total',
      help: 'Deliveries that came to a state, by state.',
      labelNames: ['status'] as const,
      registers,
    }),
    received: new Counter({
      name: 'gangan_texts_received_total',
      help: 'Texts that people sent, by channel.',
      labelNames: ['channel'] as const,
      registers,
    }),
    otps: new Counter({
      name: 'gangan_otps_total',
      help: 'One-time passwords requested, verified, refused at verification, held back by a limit, or sent again.',
      labelNames: ['event'] as const,
      registers,
    }),
    purchases: new Counter({
      name: 'gangan_airtime_purchases_total',
      help: 'Airtime purchases that ended or went to the operator for review, by state.',
      labelNames: ['status'] as const,
      registers,
    }),
    vendor_answers: new Counter({
      name: 'gangan_airtime_vendor_answers_total',
      help: 'What airtime vendors answered to purchases and questions, by outcome.',
      labelNames: ['vendor', 'outcome'] as const,
      registers,
    }),
    vendor_balance: new Gauge({
      name: 'gangan_airtime_vendor_balance',
      help: 'What is left of our money at an airtime vendor, in currency units.',
      labelNames: ['vendor'] as const,
      registers,
    }),
    vendor_balance_low: new Gauge({
      name: 'gangan_airtime_vendor_balance_low',
      help: '1 while the balance at an airtime vendor is below its low_balance.',
      labelNames: ['vendor'] as const,
      registers,
    }),
    carrier_paused: new Gauge({
      name: 'gangan_carrier_paused',
      help: '1 while a carrier has told us to stop for a while, or until somebody mends something.',
      labelNames: ['carrier'] as const,
      registers,
    }),
    carrier_answers: new Counter({
      name: 'gangan_carrier_answers_total',
      help: 'What carriers of the kind http answered, message by message, by carrier and outcome.',
      labelNames: ['carrier', 'outcome'] as const,
      registers,
    }),
    carrier_latency: new Histogram({
      name: 'gangan_carrier_answer_seconds',
      help: 'How long carriers of the kind http take to answer a request.',
      labelNames: ['carrier'] as const,
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    carrier_cost: new Counter({
      name: 'gangan_carrier_cost_total',
      help: 'What carriers of the kind http say that messages cost us, in their currency.',
      labelNames: ['carrier'] as const,
      registers,
    }),
    carrier_balance: new Gauge({
      name: 'gangan_carrier_balance',
      help: 'What is left of our money at a carrier of the kind http, in its currency.',
      labelNames: ['carrier'] as const,
      registers,
    }),
    carrier_balance_low: new Gauge({
      name: 'gangan_carrier_balance_low',
      help: '1 while the balance at a carrier is below its low_balance.',
      labelNames: ['carrier'] as const,
      registers,
    }),
    callbacks: new Counter({
      name: 'gangan_callback_attempts_total',
      help: 'Tries to deliver a callback, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    smpp_answers: new Counter({
      name: 'gangan_smpp_answers_total',
      help: 'Answers of SMPP carriers to submits, by carrier and status.',
      labelNames: ['carrier', 'status'] as const,
      registers,
    }),
    smpp_latency: new Histogram({
      name: 'gangan_smpp_answer_seconds',
      help: 'How long SMPP carriers take to answer a submit.',
      labelNames: ['carrier'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    smpp_bound: new Gauge({
      name: 'gangan_smpp_bound',
      help: '1 while a bind held by this process is up.',
      labelNames: ['carrier', 'bind'] as const,
      registers,
    }),
    smpp_inflight: new Gauge({
      name: 'gangan_smpp_inflight',
      help: 'Requests on a bind of this process that wait for their answer.',
      labelNames: ['carrier', 'bind'] as const,
      registers,
    }),
    smpp_server_binds: new Gauge({
      name: 'gangan_smpp_server_binds',
      help: 'Binds of customers to our SMPP server, in this process.',
      registers,
    }),
    smpp_server_answers: new Counter({
      name: 'gangan_smpp_server_answers_total',
      help: 'Answers of our SMPP server to requests of customers, by command and status.',
      labelNames: ['command', 'status'] as const,
      registers,
    }),
    smpp_server_deliveries: new Counter({
      name: 'gangan_smpp_server_deliveries_total',
      help: 'Tries to deliver reports and texts to receivers of our SMPP server, by what came of them.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    smpp_received: new Counter({
      name: 'gangan_smpp_received_total',
      help: 'What SMPP carriers sent: reports by state, texts, and what was neither.',
      labelNames: ['carrier', 'what'] as const,
      registers,
    }),
    phone_present: new Gauge({
      name: 'gangan_phone_present',
      help: '1 while a phone calls, and fetches what is put on its list.',
      labelNames: ['carrier', 'phone'] as const,
      aggregator: 'max',
      registers,
    }),
    phone_seen: new Gauge({
      name: 'gangan_phone_seen_seconds',
      help: 'When a phone called last, in seconds since 1970.',
      labelNames: ['carrier', 'phone'] as const,
      aggregator: 'max',
      registers,
    }),
    phone_battery: new Gauge({
      name: 'gangan_phone_battery_percent',
      help: 'How full the battery of a phone is, as it told last.',
      labelNames: ['carrier', 'phone'] as const,
      aggregator: 'max',
      registers,
    }),
    phone_in_hand: new Gauge({
      name: 'gangan_phone_in_hand',
      help: 'Messages on the list of a SIM, or fetched and not yet sent.',
      labelNames: ['carrier', 'phone', 'sim'] as const,
      aggregator: 'max',
      registers,
    }),
    phone_used: new Gauge({
      name: 'gangan_phone_pages_last_day',
      help: 'Pages of text that a SIM was given in the last 24 hours.',
      labelNames: ['carrier', 'phone', 'sim'] as const,
      aggregator: 'max',
      registers,
    }),
    lookups: new Counter({
      name: 'gangan_lookups_total',
      help: 'Numbers looked up, by the source that named the operator.',
      labelNames: ['source'] as const,
      registers,
    }),
    spans: new Counter({
      name: 'gangan_trace_spans_total',
      help: 'Steps of traces by what became of them: exported, refused by the collector, dropped because it was away.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    queue_depth: new Gauge({
      name: 'gangan_queue_depth',
      help: 'Jobs waiting or in hand, by queue.',
      labelNames: ['queue'] as const,
      registers,
    }),
    queue_age: new Gauge({
      name: 'gangan_queue_oldest_seconds',
      help: 'How long the oldest due job has waited, by queue.',
      labelNames: ['queue'] as const,
      registers,
    }),
    held: new Gauge({
      name: 'gangan_messages_held',
      help: 'Messages kept from leaving, by route, carrier and why: not_bound, throttled, rate, refused …',
      labelNames: ['route', 'carrier', 'reason'] as const,
      registers,
    }),
    held_since: new Gauge({
      name: 'gangan_messages_held_since_seconds',
      help: 'Since when the oldest of them has been due, in seconds since 1970; 0 where they wait for their next try.',
      labelNames: ['route', 'carrier', 'reason'] as const,
      registers,
    }),
    database_node_up: new Gauge({
      name: 'gangan_database_node_up',
      help: '1 while a node of the database cluster answers, 0 while it is away; nothing on one machine.',
      labelNames: ['node'] as const,
      registers,
    }),
    backup_last: new Gauge({
      name: 'gangan_backup_last_seconds',
      help: 'When the newest whole backup of the schedule began, in seconds since 1970; 0 when there is none yet.',
      registers,
    }),
    backup_bytes: new Gauge({
      name: 'gangan_backup_bytes',
      help: 'How large the newest whole backup of the schedule is.',
      registers,
    }),
    backup_failures: new Gauge({
      name: 'gangan_backup_failures',
      help: 'Backups of the schedule that failed since the newest whole one.',
      registers,
    }),
    connections: new Gauge({
      name: 'gangan_database_connections',
      help: 'Connections of this database in use by Gangan, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
  }
}
