import { describe, expect, test } from 'vitest'
import type { Entry } from '../live-config/entries.ts'
import { ConfigFault, decideConfig } from './config.ts'
import { withOperatorEntries } from './entries.ts'

const smpp = (name: string, more: object = {}): Entry => ({
  kind: 'carrier',
  name,
  settings: { kind: 'smpp', name, host: 'smsc.example.com', port: 2775, system_id: 'us', password: 'secret', ...more },
})
const route = (name: string, carrier: string, more: object = {}): Entry => ({
  kind: 'route',
  name,
  settings: { name, channel: 'sms', carrier, ...more },
})

function decided(file: object, entries: readonly Entry[]) {
  const { settings, sandbox } = decideConfig({}, file, [], entries)
  return {
    sandbox,
    carriers: settings.carriers.map(({ name }) => name),
    routes: settings.routes.map(({ name, carrier }) => `${name} ${carrier}`),
  }
}
function faultsOf(file: object, entries: readonly Entry[]): readonly string[] {
  try {
    decideConfig({}, file, [], entries)
    return []
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.faults
    throw fault
  }
}

describe('without carriers and routes in the file', () => {
  const simulated = { sandbox: true, carriers: ['simulator'], routes: ['sms simulator', 'whatsapp simulator'] }

  test('there are the simulator and its routes until a real carrier is configured', () => {
    expect(decided({}, [])).toEqual(simulated)
    expect(decided({}, [route('kenya', 'simulator', { prefix: '254' })])).toEqual({
      ...simulated,
      routes: [...simulated.routes, 'kenya simulator'],
    })
    expect(decided({}, [smpp('mtn'), route('sms', 'mtn')])).toEqual({
      sandbox: false,
      carriers: ['mtn'],
      routes: ['sms mtn'],
    })
  })

  test('an entry of the same name replaces what is there', () => {
    const entries = [
      { kind: 'carrier' as const, name: 'two', settings: { kind: 'simulator', name: 'two' } },
      route('sms', 'two'),
    ]
    expect(decided({}, entries)).toEqual({
      sandbox: true,
      carriers: ['simulator', 'two'],
      routes: ['whatsapp simulator', 'sms two'],
    })
  })
})

describe('with a file', () => {
  const file = { carriers: [smpp('of-file').settings], routes: [route('all', 'of-file').settings] }

  test('entries come behind those of the file, which apply instead of others of the same name', () => {
    expect(
      decided(file, [smpp('mtn'), smpp('of-file', { port: 1 }), route('all', 'mtn'), route('more', 'mtn')]),
    ).toEqual({
      sandbox: false,
      carriers: ['of-file', 'mtn'],
      routes: ['all of-file', 'more mtn'],
    })
  })

  test('errors name the entry of an operator, and the place in the file', () => {
    const faults = faultsOf({ ...file, colour: 'red' }, [smpp('mtn', { window: 0, tls: { colour: 'red' } })])
    expect(faults).toEqual([
      'carriers.mtn.tls: unknown key colour',
      'carriers.mtn.window: must be >= 1',
      'file: unknown key colour',
    ])
    expect(faultsOf(file, [route('lost', 'nobody')])).toEqual(['routes.lost.carrier: there is no carrier nobody'])
    expect(faultsOf({ ...file, routes: 'none' }, [smpp('mtn')])).toEqual(['routes: must be array'])
  })

  test('without entries it is what the file says', () => {
    const config = decideConfig({}, file)
    expect(withOperatorEntries(config, [])).toEqual(config)
    const changed = withOperatorEntries(config, [route('more', 'of-file')])
    expect(withOperatorEntries(changed, []).settings).toEqual(config.settings)
  })
})
