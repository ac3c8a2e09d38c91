import { firstWords, recognised, type ValueWords } from '../../text/recognised.ts'
import { number, percent, plural, t } from '../../text/text.ts'
import { carrierWords } from '../../ui/carrier-words.ts'
import { written } from '../../ui/date/formats.ts'

/** Names of checks. One that is not here is shown by its name. */
const CHECKS: Readonly<Record<string, string>> = {
  version: t('Version'),
  disk: t('Disk'),
  certificates: t('Certificates'),
  processes: t('Processes'),
  database: t('Database'),
  connections: t('Connections'),
  schema: t('Schema'),
  clock: t('Clock'),
  backups: t('Backups'),
  archive: t('Archive||of the database'),
  carriers: t('Carriers'),
  balances: t('Balances at carriers'),
  'carrier certificates': t('Certificates of carriers'),
  queues: t('Queues'),
  'held messages': t('Held messages'),
  callbacks: t('Callbacks'),
  senders: t('Senders'),
  keys: t('Keys'),
  airtime: t('Airtime'),
}

export function checkWords(name: string): string {
  return CHECKS[name] ?? name
}

/** Sentences of the service's checks (`src/status/`); a test compares them. */
const KNOWN = [
  recognised('No scheduled backups are configured.'),
  recognised('Set backups.folder, on another disk than the data.'),
  recognised('No scheduled backup is complete yet.'),
  recognised('Wait for the first, or take one now: gangan backup FILE.'),
  recognised('No scheduled backup has succeeded; {n} failed.'),
  recognised('The newest complete backup is {age} old; {n} has failed since.'),
  recognised('The newest complete backup is {age} old; {n} have failed since.'),
  recognised('The newest complete backup is {age} old and has {size}.'),
  recognised('Check that a process with workers is running, and take one now: gangan backup FILE.'),
  recognised(
    'The log has the reason (a backup failed): usually a full disk, or a folder that the service may not write to.',
  ),
  recognised('The database is not archived yet.'),
  recognised('backups.wal takes effect when the service starts; the first segment follows within its interval.'),
  recognised('The archive of the database ends {age} ago.'),
  recognised('The archive of the database ends {age} ago; the segment {segment} could not be archived.'),
  recognised(
    'Check that the service runs, and the disk of backups.folder; postgres.log in the data folder has the reason.',
  ),
  recognised('The archive of the database has no complete base backup yet.'),
  recognised('Wait for the first; if it fails, the log of the service has the reason.'),
  recognised('The archive of the database ends {age} ago; its newest base backup is {base} old.'),
  recognised('The log of the service has the reason (a base backup failed): usually a full disk.'),
  recognised('The check failed: {reason}'),
  recognised('Run the command again. If it fails again, read the log of the service.'),
  recognised('The check did not end within {seconds} s.'),
  recognised('Run the command again. If it fails again, look at the load of the machine and of the database.'),
  recognised('There is {n} more.'),
  recognised('There are {n} more.'),
  recognised('No sender waits for a decision.'),
  recognised('{n} sender is waiting for a decision, for {days}.'),
  recognised('{n} senders are waiting for a decision, the first for {days}.'),
  recognised('Decide: gangan senders, or the console (Senders).'),
  recognised('No API key expires soon.'),
  recognised('{n} API key expires soon, in {days}.'),
  recognised('{n} API keys expire soon, the first in {days}.'),
  recognised('Inform their organisations: each creates another key and replaces the old one.'),
  recognised('No airtime purchase is waiting for a decision.'),
  recognised('{n} airtime purchase is waiting for a decision.'),
  recognised('{n} airtime purchases are waiting for a decision.'),
  recognised('Ask the vendor by the reference and decide: gangan airtime review.'),
  recognised('PostgreSQL {version} accepts no writes.'),
  recognised('DATABASE_URL leads to a standby: point it to the primary, or promote the standby.'),
  recognised('PostgreSQL {version} is older than {oldest}, the oldest version that is supported.'),
  recognised('Upgrade the database server.'),
  recognised('PostgreSQL {version} answers; the database has {size}.'),
  recognised('{used} of {limit} connections to PostgreSQL are in use ({share}).'),
  recognised('Raise max_connections of PostgreSQL, or run fewer processes.'),
  recognised('The database has schema {found}; this build knows schema {known} only.'),
  recognised('Install the newer version of Gangan here: processes of this one take no more requests.'),
  recognised('The database has schema {found}; this build needs schema {known}.'),
  recognised('Run gangan migrate, or restart the service: it migrates at the start.'),
  recognised('The database has schema {found}, but functions of another build.'),
  recognised('Run gangan migrate with the newest build, and restart the processes of other builds.'),
  recognised('The database has schema {found}, that of this build.'),
  recognised('The database has schema {found} of the newer patch release {version}.'),
  recognised('Finish the upgrade: restart the processes of this version with the newer one.'),
  recognised('The clocks of this machine and of the database agree within {seconds} s.'),
  recognised('The clocks of this machine and of the database differ by {seconds} s.'),
  recognised('Synchronise both clocks with NTP (timedatectl status shows whether it is active).'),
  recognised('The service is not running: no process of it is connected to the database.'),
  recognised('Start it (systemctl start gangan, or gangan serve). If it ends, the end of its log says why.'),
  recognised('Process {pid} on {host} serves HTTP and runs workers: version {version}, {connections}.'),
  recognised('Process {pid} on {host} serves HTTP: version {version}, {connections}.'),
  recognised('Process {pid} on {host} runs workers: version {version}, {connections}.'),
  recognised('No process serves HTTP.'),
  recognised('Start one: gangan serve --http.'),
  recognised('No process runs workers: messages are accepted and not submitted.'),
  recognised('Start one: gangan serve --worker.'),
  recognised('Processes of version {others} run beside version {version}.'),
  recognised('Finish the upgrade: restart every process with the newest version.'),
  recognised('The disk of {path} cannot be measured ({fault}).'),
  recognised('Check that the folder exists and that this user may enter it.'),
  recognised('The disk of {path} has {free} left ({share}).'),
  recognised('Make space outside of the data folder, enlarge the disk, or keep less (retention).'),
  recognised('Make space, enlarge the disk, or keep fewer backups (backups.keep).'),
  recognised('The certificate {path} cannot be read ({fault}).'),
  recognised('Correct the path in the configuration, or the rights of the file.'),
  recognised('Renew the certificate and restart the service, which reads it at the start.'),
  recognised('Ask the carrier when it renews its certificate: an expired one ends the bind.'),
  recognised('The certificate of {name} expired on {date}.'),
  recognised('The certificate of {name} expires on {date}, in {days}.'),
  recognised('Gangan {version} on Node.js {node}.'),
  recognised('{name} is up.'),
  recognised('{name} is up: {detail}.'),
  recognised('{name} has not been used yet.'),
  recognised('{name} is degraded: {detail}.'),
  recognised('gangan carriers shows each bind with its reason.'),
  recognised('{name} is down: {detail}.'),
  recognised('gangan carriers shows the reason; check the credentials and the network, then call the carrier.'),
  recognised('The balance at {carrier} is {balance}.'),
  recognised('The balance at {carrier} is {balance}, below {limit}.'),
  recognised('Top up the account with the carrier: it rejects messages once it is empty.'),
  recognised('No jobs are waiting.'),
  recognised('{n} job is waiting; it has been due for {oldest}.'),
  recognised('{n} jobs are waiting; the oldest has been due for {oldest}.'),
  recognised('{queue}: {n} job, due for {oldest}.'),
  recognised('{queue}: {n} jobs, the oldest due for {oldest}.'),
  recognised('Check that a process with workers is running, and see what holds messages.'),
  recognised('No messages are held.'),
  recognised('{n} message on {route} to {carrier} is waiting to be retried: {detail}.'),
  recognised('{n} messages on {route} to {carrier} are waiting to be retried: {detail}.'),
  recognised('{n} message on {route} to {carrier} is held for {held}: {detail}.'),
  recognised('{n} messages on {route} to {carrier} are held for {held}: {detail}.'),
  recognised('Configure the route again, or cancel its messages.'),
  recognised('Start a process with workers: gangan serve --worker.'),
  recognised('gangan carriers shows why the binds are down.'),
  recognised('Lower rate_per_bind or rate_per_account to what the carrier allows.'),
  recognised('gangan carriers shows who is draining it and why. Resume it, or move the messages to another route.'),
  recognised('gangan carriers shows why the carrier is paused. Resume it when the reason is gone.'),
  recognised('Nothing, unless the rate of the route is lower than the carrier allows.'),
  recognised('gangan carriers pdus CARRIER shows the answers of the carrier.'),
  recognised('Add capacity (window, binds), or wait: other messages are submitted first.'),
  recognised('No endpoint is failing; {waiting} to be retried.'),
  recognised('Failing endpoints: {failing}, disabled: {disabled}. {waiting} to be retried.'),
  recognised(
    'Inform the customers: the console (Webhooks, in their organisation) shows the responses of the endpoint.',
  ),
]
  // The most specific pattern first.
  .sort((a, b) => b.fixed_length - a.fixed_length)

/** Translates what a check found, or its advice; an unknown sentence is returned unchanged. */
export function findingWords(sentence: string): string {
  return firstWords(KNOWN, sentence, VALUES)
}

const VALUES: ValueWords = {
  n: numberWords,
  used: numberWords,
  limit: numberWords,
  connections: countWords,
  failing: numberWords,
  disabled: numberWords,
  waiting: countWords,
  seconds: numberWords,
  days: countWords,
  balance: measureWords,
  size: measureWords,
  free: measureWords,
  share: (share) => percent(Number.parseInt(share, 10) / 100, { maximumFractionDigits: 0 }),
  date: (date) => written(Date.parse(date), 'date', 'UTC'),
  detail: carrierWords,
}

/** As many decimals as the service wrote. */
function numberWords(value: string): string {
  const decimals = value.split('.')[1]?.length ?? 0
  return Number.isNaN(Number(value)) ? value : number(Number(value), { minimumFractionDigits: decimals })
}

/** A count with what is counted: `1 day`, `2 days`. */
function countWords(counted: string): string {
  const [n = '', word = ''] = counted.split(' ')
  return COUNTED[word.replace(/s$/, '')]?.(Number(n)) ?? counted
}

const COUNTED: Readonly<Record<string, (n: number) => string>> = {
  day: (n) => plural(n, '{n} day', '{n} days'),
  connection: (n) => plural(n, '{n} connection', '{n} connections'),
  callback: (n) => plural(n, '{n} callback', '{n} callbacks'),
}

/** A number with its unit, which may be missing. */
function measureWords(measure: string): string {
  const [value = '', ...unit] = measure.split(' ')
  return [numberWords(value), ...unit.map((one) => UNITS[one] ?? one)].join('\u00a0')
}

const UNITS: Readonly<Record<string, string>> = {
  B: t('B||bytes'),
  kB: t('kB||bytes'),
  MB: t('MB||bytes'),
  GB: t('GB||bytes'),
  TB: t('TB||bytes'),
  PB: t('PB||bytes'),
}
