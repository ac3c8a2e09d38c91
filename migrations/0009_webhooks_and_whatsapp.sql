-- Endpoints an organisation has registered for its events, besides the callback of a single request.
create table webhooks (
  organisation_id uuid not null references organisations (id),
  id uuid not null,
  url text not null,
  -- Types such as text.delivered, families such as text.*, or * for everything.
  events text[] not null default '{*}' check (cardinality(events) > 0),
  description text,
  enabled boolean not null default true,
  -- Why the service disabled it, as a sentence; null while it is enabled or when the organisation did it.
  disabled_reason text,
  -- The first failed try since the last one that succeeded.
  failing_since timestamptz,
  secret text not null,
  -- Signs beside the secret until its time is over, so that a receiver can change over.
  old_secret text,
  old_secret_until timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  check ((old_secret is null) = (old_secret_until is null)),
  check (disabled_reason is null or not enabled)
);

-- An event that goes to several endpoints is a callback for each of them. All of them carry the same event id, which is
-- the `webhook-id`; the one to the callback of the request has it as its own id too, and needs no column for it.
alter table callbacks add webhook_id uuid, add event_id uuid,
  add check ((webhook_id is null) = (event_id is null));
create index callbacks_by_webhook on callbacks (organisation_id, webhook_id, id) where webhook_id is not null;

-- WhatsApp. A business number is the operator's and serves all organisations, so these tables name the carrier, not an
-- organisation, as submissions and reports do.

-- What passed between a business number and a person last: within 24 hours of their last message free text may be sent,
-- and one person gets no more than a message in six seconds.
create table whatsapp_users (
  carrier text not null,
  recipient text not null,
  received_datetime timestamptz,
  sent_datetime timestamptz,
  primary key (carrier, recipient)
);
create index whatsapp_users_by_age on whatsapp_users (greatest(received_datetime, sent_datetime));

-- The templates Meta has approved, as of the last look.
create table whatsapp_templates (
  carrier text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  -- As Meta describes it: header, body, footer, buttons, and the values they take.
  components jsonb not null,
  synced_datetime timestamptz not null default now(),
  primary key (carrier, name, language)
);

-- A number that Meta has told to stop, for a while or until somebody mends it.
create table whatsapp_pauses (
  carrier text primary key,
  until timestamptz not null,
  code text not null,
  reason text not null
);

-- Which WhatsApp template a version of a template goes out as, and the placeholders whose values it takes, in order.
create table template_whatsapp (
  organisation_id uuid not null,
  template_id uuid not null,
  version integer not null,
  name text not null,
  language text not null,
  parameters text[] not null,
  primary key (organisation_id, template_id, version)
);

-- The WhatsApp template a delivery goes out as, with this recipient's values: {name, language, parameters}.
alter table deliveries add whatsapp jsonb;
