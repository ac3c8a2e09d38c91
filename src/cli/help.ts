export const HELP = `Gangan: messages, one-time passwords, airtime, lookup and contacts behind one HTTP API.

Usage: gangan <command> [options]

  serve                        start the service; the same without any command
      --http                   answer HTTP only; other processes do the work
      --worker                 do the work only: carriers, reports, callbacks
      --processes N            in N processes that share the port, one per core
  migrate                      bring the database to the newest schema and stop
      --distributed            and lay it out over the nodes of a cluster (Citus)

  backup FILE                  all that is in the database at this moment, while others
                               go on sending; the pepper is not in it
      --pepper FILE            write the pepper to a file of its own
  restore FILE                 a backup into an empty database or data folder: all of it,
                               with counts and money checked, or nothing
      --pepper FILE            the pepper of the installation it is from
      --new-pepper             go on without it: what was sealed under it is lost
      --accept-faults          keep it even if the audit of the money finds faults

  organisations create NAME    make an organisation and its test twin
      --sender ID              its default sender ID (up to 11 characters)
      --country CODE           its default country (that of the installation)
      --credit AMOUNT          its opening balance (0)
  organisations list           all organisations with their balances
  organisations suspend ID     it and its test twin send nothing more; what was accepted comes to its end
  organisations resume ID      they may again

  keys create                  issue an API key; it is shown once
      --test                   for the test twin: only the simulator, own balance
      --scopes LIST            what it may do, with commas between (everything): sms,
                               otp, airtime, lookup, lists, settings, callbacks,
                               balance; the page /docs says what each opens
      --expires WHEN           a date or date-time, such as 2027-01-31
      --name TEXT              a word to recognise it by
  keys list                    all keys, without the secret part
  keys twilio KEY_ID           the key as account SID and auth token, for Twilio's clients
  keys revoke KEY_ID           stops within a second on every process

  users invite EMAIL           a one-time link to the console for somebody
      --organisation ID        a user of this organisation (the first)
      --operator               an operator, who sees all organisations
      --name TEXT              their name
      --role ROLE              owner, admin, developer, marketer, finance or viewer
  users list                   everybody, and whether they can log in
  users enter EMAIL            an operator back in, whatever keeps them out
  users reset EMAIL            a new link; password, two-factor and sessions end
  users disable EMAIL          out at once, until somebody lets them in again
  users enable EMAIL           in again, with a password chosen before
                               (an id instead of EMAIL, where several organisations have the address)

  callbacks secret             the secret your callbacks are signed with
  callbacks rotate             make a new one; both sign until the old one is retired
  callbacks retire             drop the old one

  hooks add KIND               an address for an identity server to send codes by, and
                               its secret: supabase, logto, authentik, zitadel,
                               kratos, keycloak, fusionauth, listmonk, novu
      --secret TEXT            the secret, where the other side has made it
  hooks list                   all hooks, without their secrets
  hooks remove NAME            what it asks for is refused from now on

  smpp add [SYSTEM_ID]         an account for software that binds to our SMPP server,
                               and its password
      --password TEXT          where the software has one (8 characters)
      --networks LIST          where it may bind from, with commas between (anywhere)
      --binds, --rate, --window NUMBER  at a time (4), submits a second (500), and
                               submits unanswered at a time (100)
      --alphabet NAME          what data_coding 0 means to it (gsm7): latin1, ascii or
                               gsm7-packed
      --no-texts               what people write is not delivered to it
  smpp list                    all accounts, their binds and what waits for them
  smpp remove SYSTEM_ID        its binds are closed, and what waits for it is dropped

  balance show                 balance and newest ledger lines
  balance top-up AMOUNT        add to the balance; a negative amount corrects it
  balance audit                check every balance against its ledger

  senders list                 the senders of all organisations, those that wait first
  senders approve SENDER       it may be used from now on
  senders reject SENDER        it may not
      --reason TEXT            why; the organisation reads it
  inbound list                 texts to numbers that belong to no organisation

  otp guard                    number prefixes whose OTPs are slowed or blocked
  otp guard lift PREFIX        let OTPs pass there again

  airtime review               purchases whose end no vendor could tell in time
  airtime review ID success    say, once, that the airtime has arrived
  airtime review ID failed     say, once, that it has not; the charge is refunded

  contacts erase NUMBER        erase a person: number and texts, everywhere; cannot be undone
  contacts export NUMBER       all that is kept about a person, as JSON
  contacts erasures            who was erased, when and by whom, by a hash

  numbers import FILE          read a registry from CSV: number, operator
      --kind ported|dnd        numbers with their present operator, or do not disturb
      --replace                instead of what is there (without it: merge into it)
      --country CODE           of national numbers (the default country)
      --rejects FILE           where bad lines go (FILE.rejects.csv)
      --restart                from the beginning, if it was interrupted
  numbers list                 registries, their size and age

  import kannel FILE           a kannel.conf as our configuration, and what has no
                               counterpart

  whatsapp sync [NAME]         read the templates Meta has approved
  whatsapp status [NAME]       whether the numbers work, and their templates
  whatsapp resume [NAME]       let a paused number go on

  carriers                     the binds of SMPP carriers, our balances and addresses
                               at vendors, and what keeps messages from leaving
  carriers check NAME          try the credentials of a vendor (kind http)
      --to NUMBER              send a message there, and show what the answer becomes
      --from, --text TEXT      its sender and text
  carriers replay NAME FILE    what a recorded report of a vendor becomes
  carriers pdus CARRIER [BIND] what passed on a bind (1) last, without texts

  phones                       the phones that send SMS, and what a phone has to be told to join
  phones rotate CARRIER        a new private token; phones that have joined stay
  phones forget CARRIER PHONE  it may not call any more; rotate first if it is lost
  phone                        emulate a phone, to test without one
      --url ADDRESS            the server address (http://127.0.0.1:8080/phones/v1)
      --token TOKEN            the private token, as gangan phones shows it
      --name TEXT, --sims N    its name and number of SIMs (1)
      --delay MS               duration of sending, and of the delivery (500)

  smsc                         emulate an SMSC, to test without a carrier
      --port NUMBER            port to listen on (2775); --host ADDRESS (127.0.0.1)
      --system-id, --password  the account that may bind (any)
      --latency MS             latency of answers, such as 50 or 20-80
      --throughput NUMBER      submits per second; more are throttled
      --errors LIST            shares of errors, such as RSYSERR:0.01,RMSGQFUL:0.02
      --cut, --silent SHARE    submits whose connection is cut, or that are never answered
      --report-delay MS        delay of reports, and the shares --report-none, --report-twice,
                               --report-early, --report-other-bind
      --report-form FORM       both, text, tlv or unflagged
      --report-stats LIST      weights of final states, such as DELIVRD:9,UNDELIV:1
      --answer-id, --report-id decimal, hex, upper_case or zero_padded
      --alphabet NAME          gsm7, gsm7-packed, latin1 or ascii
      --seed NUMBER            seed of the random generator, to repeat a run

  vendor [PRESET]              emulate an HTTP vendor (termii), to test without an account
      --port NUMBER            port to listen on (8090); --host ADDRESS (127.0.0.1)
      --reports-to URL         the service it reports to (http://127.0.0.1:8080)
      --latency MS             latency of answers
      --lose, --refuse SHARE   messages that are not delivered, or are refused
      --throttle, --hang SHARE requests that are throttled, or are never answered

  --version                    which version this is

  keys, callbacks, hooks, smpp, balance, senders, otp and contacts take --organisation ID
  (the first organisation by default); with --test,
  callbacks, hooks, smpp, balance and contacts mean its test twin.

Environment: PORT, HOST, DATABASE_URL, GANGAN_DATA, GANGAN_API_KEY, GANGAN_CREDIT,
GANGAN_COUNTRY, GANGAN_CURRENCY, GANGAN_CONFIG, GANGAN_LOG, GANGAN_PEPPER,
GANGAN_METRICS_PORT, GANGAN_METRICS_HOST, GANGAN_METRICS_TOKEN, and OpenTelemetry's own
for traces (OTEL_EXPORTER_OTLP_ENDPOINT …). The file .env.example explains each.
`
