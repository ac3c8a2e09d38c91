export const HELP = `Gangan: messages, one-time passwords, airtime, lookup and contacts behind one HTTP API.

Usage: gangan <command> [options]

  serve                        start the service; the default command
      --http                   serve HTTP only; other processes run the workers
      --worker                 run workers only: carriers, reports, callbacks
      --processes N            use N processes that share the port, one per core
  migrate                      migrate the database to the newest schema and exit
      --distributed            and distribute it over the nodes of a cluster (Citus)

  backup FILE                  write a snapshot of the database while it is in use; it does
                               not contain the pepper
      --pepper FILE            write the pepper to a separate file
  restore FILE                 restore a backup into an empty database or data folder, in one
                               transaction that checks row counts and the ledger
      --pepper FILE            the pepper of the installation it was taken from
      --new-pepper             do without it: secrets sealed with it are lost
      --accept-faults          restore even if the audit of the ledger finds faults

  organisations create NAME    create an organisation and its test twin
      --sender ID              its default sender ID (up to 11 characters)
      --country CODE           its default country (that of the installation)
      --credit AMOUNT          its opening balance (0)
  organisations list           list organisations with their balances
  organisations suspend ID     block it and its test twin from sending; accepted messages complete
  organisations resume ID      allow them to send again

  keys create                  issue an API key; it is shown once
      --test                   for the test twin: only the simulator, own balance
      --scopes LIST            scopes separated by commas (all): sms, otp, airtime, lookup,
                               lists, settings, callbacks, balance; see /docs
      --expires WHEN           a date or date-time, such as 2027-01-31
      --name TEXT              a name to recognise it by
  keys list                    list keys, without the secret part
  keys twilio KEY_ID           show the key as account SID and auth token, for Twilio clients
  keys revoke KEY_ID           revoke it, within a second in all processes

  users invite EMAIL           invite a user: print a one-time link to the console
      --organisation ID        organisation of the user (the first)
      --operator               an operator, with access to all organisations
      --name TEXT              their name
      --role ROLE              owner, admin, developer, marketer, finance or viewer
  users list                   list users, and whether they can sign in
  users enter EMAIL            print a link that signs an operator in without a password
  users reset EMAIL            print a new link; ends password, second factor and sessions
  users disable EMAIL          sign out immediately and block, until enabled again
  users enable EMAIL           allow to sign in again
                               (an id instead of EMAIL, where several organisations have the address)

  callbacks secret             show the secret that signs callbacks
  callbacks rotate             create a new one; both sign until the old one is retired
  callbacks retire             remove the old one

  hooks add KIND               create an endpoint for other software, and its secret:
                               supabase, logto, authentik, zitadel, kratos, keycloak,
                               fusionauth, listmonk, novu
      --secret TEXT            the secret, if the other software generates it
  hooks list                   list hooks, without their secrets
  hooks remove NAME            remove it; further requests are rejected

  smpp add [SYSTEM_ID]         create an account for the SMPP server, and its password
      --password TEXT          a given password (8 characters)
      --networks LIST          comma-separated networks it may bind from (any)
      --binds, --rate, --window NUMBER  concurrent binds (4), submits per second (500), and
                               unanswered submits (100)
      --alphabet NAME          the meaning of data_coding 0 (gsm7): latin1, ascii or
                               gsm7-packed
      --no-texts               do not deliver inbound messages to it
  smpp list                    list accounts, their binds and pending events
  smpp remove SYSTEM_ID        remove it; closes its binds and drops pending events

  balance show                 show balance and newest ledger lines
  balance top-up AMOUNT        add to the balance; a negative amount corrects it
  balance audit                check every balance against its ledger

  senders list                 list senders of all organisations, pending ones first
  senders approve SENDER       approve a sender
  senders reject SENDER        reject a sender
      --reason TEXT            the reason, shown to the organisation
  inbound list                 list texts to numbers that belong to no organisation

  otp guard                    list number prefixes whose OTPs are throttled or blocked
  otp guard lift PREFIX        allow OTPs to a prefix again

  airtime review               list purchases whose outcome no vendor reported in time
  airtime review ID success    decide that the airtime has arrived; final
  airtime review ID failed     decide that it has not; final, refunds the charge

  contacts erase NUMBER        erase a person: number and texts in all tables; irreversible
  contacts export NUMBER       export the data of a person as JSON
  contacts erasures            list erasures: hash of the number, time, requester

  numbers import FILE          import a registry from CSV: number, operator
      --kind ported|dnd        numbers with their present operator, or do not disturb
      --replace                replace the registry (default: merge into it)
      --country CODE           country of national numbers (the default country)
      --rejects FILE           file for rejected lines (FILE.rejects.csv)
      --restart                start over instead of resuming
  numbers list                 list registries with size and age

  import kannel FILE           convert a kannel.conf, and list what has no counterpart

  whatsapp sync [NAME]         synchronise the templates approved by Meta
  whatsapp status [NAME]       show the state of the numbers, and their templates
  whatsapp resume [NAME]       resume a paused number

  carriers                     show binds of SMPP carriers, balances and callback URLs at
                               vendors, and why messages are not sent
  carriers check NAME          test the credentials of a vendor (kind http)
      --to NUMBER              send a message, and show how the answer is interpreted
      --from, --text TEXT      its sender and text
  carriers replay NAME FILE    show how a recorded report of a vendor is interpreted
  carriers pdus CARRIER [BIND] show the last PDUs of a bind (1), without texts

  phones                       list phones that send SMS, with the data to pair another
  phones rotate CARRIER        issue a new private token; paired phones stay
  phones forget CARRIER PHONE  revoke a phone; rotate first if it is lost
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
  vendor whatsapp              emulate Meta's WhatsApp Cloud API; takes the options of vendor, and
      --read SHARE             messages that are read (1); --review MS: review of a template (2000)

  --version                    print the version

  keys, callbacks, hooks, smpp, balance, senders, otp and contacts take --organisation ID
  (the first organisation by default); with --test, callbacks, hooks, smpp, balance
  and contacts refer to its test twin.

Environment: PORT, HOST, DATABASE_URL, GANGAN_DATA, GANGAN_API_KEY, GANGAN_CREDIT,
GANGAN_COUNTRY, GANGAN_CURRENCY, GANGAN_CONFIG, GANGAN_LOG, GANGAN_PEPPER,
GANGAN_METRICS_PORT, GANGAN_METRICS_HOST, GANGAN_METRICS_TOKEN, and those of OpenTelemetry
for traces (OTEL_EXPORTER_OTLP_ENDPOINT …). See .env.example.
`
