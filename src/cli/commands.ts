import type { Groups } from './terminal/help.ts'

/** The commands, as `gangan --help` lists them. Options, help and examples of each stand in its module. */
export const GROUPS: Groups = {
  Service: {
    serve: { about: 'start the service; the default command', load: async () => (await import('./serve.ts')).serve },
    status: {
      about: 'state of the installation, and what to do',
      load: async () => (await import('./status.ts')).statusCommand,
    },
    doctor: {
      about: 'try what an installation needs',
      load: async () => (await import('./doctor.ts')).doctor,
    },
    config: {
      about: 'check a configuration',
      load: async () => (await import('./config.ts')).configCommand,
    },
    reload: {
      about: 'apply the configuration to the running service',
      load: async () => (await import('./reload.ts')).reload,
    },
    migrate: {
      about: 'migrate the database to the newest schema',
      load: async () => (await import('./migrate.ts')).migrateCommand,
    },
    backup: {
      about: 'back up the database while it is in use',
      load: async () => (await import('./backup.ts')).backup,
    },
    pepper: {
      about: 'progress of a rotation of the pepper',
      load: async () => (await import('./pepper.ts')).pepper,
    },
    restore: { about: 'restore a backup', load: async () => (await import('./restore/restore.ts')).restore },
  },
  'Organisations and users': {
    organisations: {
      about: 'create, list, suspend, resume and move organisations',
      load: async () => (await import('./organisations/organisations.ts')).organisations,
    },
    keys: { about: 'API keys', load: async () => (await import('./organisations/keys.ts')).keys },
    users: { about: 'users of the console', load: async () => (await import('./organisations/users.ts')).users },
    balance: {
      about: 'balances, top-ups and the audit of the ledger',
      load: async () => (await import('./organisations/balance.ts')).balance,
    },
    callbacks: {
      about: 'secrets that sign callbacks',
      load: async () => (await import('./organisations/callbacks.ts')).callbacks,
    },
    hooks: {
      about: 'endpoints for identity servers and other software',
      load: async () => (await import('./organisations/hooks.ts')).hooks,
    },
    smpp: {
      about: 'accounts for the SMPP server',
      load: async () => (await import('./organisations/smpp.ts')).smpp,
    },
    senders: {
      about: 'approve or reject senders',
      load: async () => (await import('./organisations/senders.ts')).senders,
    },
  },
  Prices: {
    prices: {
      about: 'price lists: rules, rate sheets, and which organisation has which',
      load: async () => (await import('./prices/prices.ts')).prices,
    },
    costs: {
      about: 'cost lists: what carriers charge, and which carrier has which',
      load: async () => (await import('./prices/costs.ts')).costs,
    },
    margins: {
      about: 'revenue, cost and margin, by day, organisation, carrier, country and operator',
      load: async () => (await import('./prices/margins.ts')).margins,
    },
    evidence: {
      about: 'what became of messages: delivered, verified and rejected, by carrier and operator',
      load: async () => (await import('./prices/evidence.ts')).evidence,
    },
  },
  'Messages and people': {
    messages: {
      about: 'find messages and why they wait; requeue, cancel and move them',
      load: async () => (await import('./messages/messages.ts')).messages,
    },
    inbound: {
      about: 'texts to numbers that belong to no organisation',
      load: async () => (await import('./inbound.ts')).inbound,
    },
    otp: { about: 'the guard against OTP pumping', load: async () => (await import('./otp.ts')).otp },
    airtime: {
      about: 'purchases whose outcome no vendor reported',
      load: async () => (await import('./airtime.ts')).airtime,
    },
    contacts: {
      about: 'erase a person, or export their data',
      load: async () => (await import('./contacts.ts')).contacts,
    },
    blocklist: {
      about: 'numbers and prefixes that nothing is sent to',
      load: async () => (await import('./blocklist.ts')).blocklist,
    },
    numbers: {
      about: 'registries of ported numbers and of do-not-disturb',
      load: async () => (await import('./numbers.ts')).numbers,
    },
  },
  Carriers: {
    carriers: {
      about: 'state of carriers, and why messages are not sent; change, pause and test them',
      load: async () => (await import('./carriers/carriers.ts')).carriers,
    },
    apply: {
      about: 'make carriers and routes those of a file, while the service runs',
      load: async () => (await import('./apply.ts')).apply,
    },
    export: {
      about: 'print the carriers and routes in effect',
      load: async () => (await import('./export.ts')).exportCommand,
    },
    routes: {
      about: 'routes: list, change, pause, drain and resume them',
      load: async () => (await import('./carriers/routes.ts')).routes,
    },
    whatsapp: {
      about: 'WhatsApp numbers and their templates',
      load: async () => (await import('./carriers/whatsapp.ts')).whatsapp,
    },
    phones: { about: 'phones that send SMS', load: async () => (await import('./carriers/phones.ts')).phones },
    probes: {
      about: 'texts to phones of yours that show what carriers really deliver',
      load: async () => (await import('./carriers/probes.ts')).probes,
    },
    import: {
      about: 'convert the configuration of other software',
      load: async () => (await import('./import.ts')).importCommand,
    },
  },
  Emulators: {
    smsc: { about: 'emulate an SMSC', load: async () => (await import('./emulators/smsc.ts')).smsc },
    vendor: { about: 'emulate an HTTP vendor', load: async () => (await import('./emulators/vendor.ts')).vendor },
    network: {
      about: 'simulate mobile networks, to test routing and load',
      load: async () => (await import('./emulators/network.ts')).network,
    },
    phone: { about: 'emulate a phone', load: async () => (await import('./emulators/phone.ts')).phone },
  },
  'Command line': {
    completion: {
      about: 'completion script for bash, zsh or fish',
      load: async () => (await import('./completion.ts')).completionOf(GROUPS),
    },
  },
}

/** The commands by name. */
export const COMMANDS: Groups[string] = Object.assign({}, ...Object.values(GROUPS))
