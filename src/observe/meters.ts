import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { makeActivity } from './activity.ts'
import { makeAnalytics } from './analytics/counters.ts'
import { makeEvidence, REPORT_BOUNDS_S } from './evidence.ts'
import { makeMargins } from './margins.ts'
import { makeDurations } from './durations.ts'

const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `gangan_nodejs_active_${what}_total`)

/**
 * Interval of the timer that measures the delay of the event loop; its values include the interval. The default of 10 ms
 * costs an idle process half a percent of a core.
 */
const LAG_INTERVAL_MS = 100

/** The metrics of a process: modules update them, `GET /metrics` exports them. */
export type Meters = ReturnType<typeof makeMeters>

export function makeMeters() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'gangan_', eventLoopMonitoringPrecision: LAG_INTERVAL_MS })
  // Gauges under the name of a counter; each is the sum of the gauge without `_total`.
  for (const name of MISNAMED) registry.removeSingleMetric(name)

  function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
    return new Counter<Label>({ name: `gangan_${name}`, help, labelNames, registers })
  }
  function gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
    return new Gauge<Label>({ name: `gangan_${name}`, help, labelNames, registers })
  }
  /** Over several processes it is the highest value, not the sum. */
  function highest<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
    return new Gauge<Label>({ name: `gangan_${name}`, help, labelNames, registers, aggregator: 'max' })
  }

  return {
    registry,
    /** Per organisation, for the console. */
    activity: makeActivity(),
    analytics: makeAnalytics(),
    margins: makeMargins(),
    evidence: makeEvidence(),
    requests: makeDurations(registry, {
      name: 'gangan_http_request_duration_seconds',
      help: 'Answers given, by route, method and status.',
      label_names: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    accepted: counter('deliveries_accepted_total', 'Deliveries accepted and charged, by channel.', 'channel'),
    submit_latency: makeDurations(registry, {
      name: 'gangan_submit_latency_seconds',
      help: 'From the request until a carrier has accepted the message, for messages sent immediately, by route and carrier.',
      label_names: ['route', 'carrier'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    }),
    clicks: counter('clicks_total', 'Tracked links opened, by people and by previews or bots.', 'by'),
    deliveries: counter('deliveries_total', 'Deliveries that reached a state, by state.', 'status'),
    received: counter('texts_received_total', 'Texts received from people, by channel.', 'channel'),
    otps: counter(
      'otps_total',
      'One-time passwords requested, verified, refused at verification, blocked by a limit, or resent.',
      'event',
    ),
    purchases: counter(
      'airtime_purchases_total',
      'Airtime purchases that ended or went to the operator for review, by state.',
      'status',
    ),
    vendor_answers: counter(
      'airtime_vendor_answers_total',
      'Answers of airtime vendors to purchases and status queries, by outcome.',
      'vendor',
      'outcome',
    ),
    vendor_balance: gauge('airtime_vendor_balance', 'Our balance at an airtime vendor, in currency units.', 'vendor'),
    vendor_balance_low: gauge(
      'airtime_vendor_balance_low',
      '1 while the balance at an airtime vendor is below its low_balance.',
      'vendor',
    ),
    carrier_paused: gauge(
      'carrier_paused',
      '1 while a carrier has paused submissions, for a time or until the operator intervenes.',
      'carrier',
    ),
    whatsapp_quality: highest(
      'whatsapp_quality',
      'How Meta rates the quality of a WhatsApp number: 1 low, 2 medium, 3 high, 0 not rated.',
      'carrier',
    ),
    whatsapp_limit: highest(
      'whatsapp_limit',
      'The messaging limit of a WhatsApp account: people that it may write to first in 24 hours. Absent if unlimited.',
      'carrier',
    ),
    whatsapp_limit_used: highest(
      'whatsapp_limit_used',
      'People who count toward the messaging limit of a WhatsApp account.',
      'carrier',
    ),
    carrier_answers: counter(
      'carrier_answers_total',
      'Answers of carriers of kind http per message, by carrier and outcome.',
      'carrier',
      'outcome',
    ),
    carrier_latency: new Histogram({
      name: 'gangan_carrier_answer_seconds',
      help: 'Response time of carriers of kind http.',
      labelNames: ['carrier'] as const,
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    carrier_cost: counter(
      'carrier_cost_total',
      'Cost of messages as reported by carriers of kind http, in their currency.',
      'carrier',
    ),
    revenue: counter(
      'delivery_revenue_total',
      'Charges of deliveries that a carrier accepted, in currency units; while a carrier has a cost list.',
      'carrier',
    ),
    refunds: counter(
      'delivery_refunds_total',
      'Charges refunded of deliveries that a carrier had accepted.',
      'carrier',
    ),
    cost: counter('delivery_cost_total', 'Costs of deliveries that a carrier accepted, by its cost list.', 'carrier'),
    waived: counter(
      'delivery_cost_waived_total',
      'Costs of deliveries that were not delivered, of carriers that charge only for what is delivered.',
      'carrier',
    ),
    below_cost: counter(
      'below_cost_total',
      'Recipients of messages and estimates whose price is below the cost, by what the price list says: warn or refuse.',
      'action',
    ),
    carrier_messages: counter(
      'carrier_messages_total',
      'Messages given to carriers, by class (otp, other) and what became of them: submitted, rejected, delivered, undelivered, no_report, verified.',
      'carrier',
      'class',
      'event',
    ),
    report_times: makeDurations(registry, {
      name: 'gangan_report_seconds',
      help: 'From the acceptance by a carrier until its final report, by class (otp, other).',
      label_names: ['carrier', 'class'],
      buckets: [...REPORT_BOUNDS_S],
    }),
    carrier_out: highest(
      'carrier_out',
      '1 while a carrier does not deliver: reports are missing. Only while a route chooses by evidence.',
      'carrier',
    ),
    carrier_honesty: highest(
      'carrier_honesty',
      'Upper bound of the share of reported deliveries that are true, at most 1. Only while a route chooses by evidence.',
      'carrier',
    ),
    carrier_balance: gauge('carrier_balance', 'Our balance at a carrier of kind http, in its currency.', 'carrier'),
    carrier_balance_low: gauge(
      'carrier_balance_low',
      '1 while the balance at a carrier is below its low_balance.',
      'carrier',
    ),
    blocked: counter('blocked_recipients_total', 'Recipients refused because of the block list.'),
    callbacks: counter('callback_attempts_total', 'Attempts to deliver a callback, by outcome.', 'outcome'),
    smpp_answers: counter(
      'smpp_answers_total',
      'Answers of SMPP carriers to submits, by carrier and status.',
      'carrier',
      'status',
    ),
    smpp_latency: new Histogram({
      name: 'gangan_smpp_answer_seconds',
      help: 'Response time of SMPP carriers to a submit.',
      labelNames: ['carrier'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    smpp_bound: gauge('smpp_bound', '1 while a bind held by this process is up.', 'carrier', 'bind'),
    smpp_inflight: gauge('smpp_inflight', 'Requests in flight on a bind of this process.', 'carrier', 'bind'),
    smpp_server_binds: gauge('smpp_server_binds', 'Binds of customers to our SMPP server, in this process.'),
    smpp_server_answers: counter(
      'smpp_server_answers_total',
      'Answers of our SMPP server to requests of customers, by command and status.',
      'command',
      'status',
    ),
    smpp_server_deliveries: counter(
      'smpp_server_deliveries_total',
      'Attempts to deliver reports and texts to receivers of our SMPP server, by outcome.',
      'outcome',
    ),
    smpp_received: counter(
      'smpp_received_total',
      'PDUs received from SMPP carriers: reports by state, texts, and others.',
      'carrier',
      'what',
    ),
    phone_present: highest('phone_present', '1 while a phone polls for messages.', 'carrier', 'phone'),
    phone_seen: highest(
      'phone_seen_seconds',
      'Time of the last poll of a phone, in seconds since 1970.',
      'carrier',
      'phone',
    ),
    phone_battery: highest('phone_battery_percent', 'Battery charge of a phone, as last reported.', 'carrier', 'phone'),
    phone_in_flight: highest(
      'phone_in_flight',
      'Messages queued for a SIM, or fetched and not yet sent.',
      'carrier',
      'phone',
      'sim',
    ),
    phone_used: highest(
      'phone_pages_last_day',
      'Pages of text sent by a SIM in the last 24 hours.',
      'carrier',
      'phone',
      'sim',
    ),
    lookups: counter('lookups_total', 'Numbers looked up, by the source that named the operator.', 'source'),
    spans: counter(
      'trace_spans_total',
      'Trace spans by outcome: exported, refused by the collector, or dropped because it was unreachable.',
      'outcome',
    ),
    queue_depth: gauge('queue_depth', 'Jobs waiting or leased, by queue.', 'queue'),
    queue_age: gauge('queue_oldest_seconds', 'How long the oldest due job has waited, by queue.', 'queue'),
    held: gauge(
      'messages_held',
      'Messages held back, by route, carrier and reason: not_bound, throttled, rate, refused …',
      'route',
      'carrier',
      'reason',
    ),
    held_since: gauge(
      'messages_held_since_seconds',
      'Due time of the oldest held message, in seconds since 1970; 0 where all wait for a retry.',
      'route',
      'carrier',
      'reason',
    ),
    database_node_up: gauge(
      'database_node_up',
      '1 while a node of the database cluster answers, 0 while it is unreachable; absent without a cluster.',
      'node',
    ),
    backup_last: gauge(
      'backup_last_seconds',
      'Start of the newest complete scheduled backup, in seconds since 1970; 0 when there is none.',
    ),
    backup_bytes: gauge('backup_bytes', 'Size of the newest complete scheduled backup.'),
    backup_failures: gauge('backup_failures', 'Scheduled backups that failed since the newest complete one.'),
    wal_archived: gauge(
      'wal_archived_seconds',
      'Moment to which the archive of the embedded database reaches, in seconds since 1970; 0 when it is empty.',
    ),
    wal_base: gauge(
      'wal_base_seconds',
      'End of the newest complete base backup in the archive, in seconds since 1970; 0 when there is none.',
    ),
    disk_free: gauge(
      'disk_free_bytes',
      'Free space on the disk of a folder: data (embedded PostgreSQL) or backups.',
      'folder',
    ),
    disk_size: gauge('disk_size_bytes', 'Size of the disk of a folder.', 'folder'),
    certificate_expiry: gauge(
      'certificate_expiry_seconds',
      'When a certificate expires, in seconds since 1970: that of smpp_server, and of SMPP carriers over TLS by name.',
      'certificate',
    ),
    database_bytes: gauge('database_bytes', 'Size of the database; on a cluster, of the coordinator.'),
    connections_limit: gauge('database_connections_limit', 'Connections that PostgreSQL allows ordinary users.'),
    connections: gauge('database_connections', 'Connections of this database in use by Gangan, by state.', 'state'),
  }
}
