-- What an organisation decides for all of its messages; `PATCH /settings` changes it.
alter table organisations
  -- Typographic characters become their GSM look-alikes where that keeps a text in GSM.
  add smart_encoding boolean not null default false,
  -- Where texts that people send to the organisation are posted.
  add inbound_url text,
  -- Promotional messages wait outside these local hours of the recipient; both or neither.
  add quiet_from time,
  add quiet_until time,
  -- Free text outside WhatsApp's 24-hour window goes by SMS instead of being refused.
  add whatsapp_fallback boolean not null default false,
  add check ((quiet_from is null) = (quiet_until is null));
