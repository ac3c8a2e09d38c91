import { readConfig } from '../../config/config.ts'
import { findPauses } from '../../messaging/pauses/pause.ts'
import { carriersOf } from '../../messaging/settings.ts'
import { withDatabase } from '../database.ts'
import { form, type Command } from '../terminal/command.ts'
import { rows, type Result } from '../terminal/result.ts'
import { pauseForms } from './pauses.ts'

const LIST = 'list routes with their carriers, and which of them are paused'

export const routes: Command = [form('', LIST, {}, list), form('list', LIST, {}, list), ...pauseForms('route')]

async function list(): Promise<Result> {
  const config = readConfig()
  const pauses = await withDatabase(config, (db) => findPauses({ db }))
  const shown = config.settings.routes.map((route) => ({
    ...route,
    pause: pauses.find(({ kind, name }) => kind === 'route' && name === route.name),
  }))
  return rows(shown, {
    route: (one) => one.name,
    channel: (one) => one.channel,
    to: (one) => [one.prefix, one.country, one.operator].filter(Boolean).join(' ') || '*',
    class: (one) => one.class,
    carriers: (one) => carriersOf(one).join(', '),
    rate: (one) => one.rate_per_s,
    state: (one) => one.pause?.mode ?? 'active',
    until: (one) => one.pause?.until,
    reason: (one) => one.pause?.reason,
  })
}
