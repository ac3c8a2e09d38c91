-- What message centres delivered and may not know yet that we have: the same PDU, coming again, is the same text or
-- segment. Forgotten when the centre has surely read our answer, or after an hour.
create table inbound_pdus (
  carrier text not null,
  -- Of the PDU without its sequence number.
  digest bytea not null,
  -- What the text is stored under.
  received_id text not null,
  received_datetime timestamptz not null default now(),
  primary key (carrier, digest)
);
create index inbound_pdus_by_age on inbound_pdus (carrier, received_datetime);

-- Messages that are no text: their content is octets, as hex. The rows that are there need not be looked at.
alter table messages drop constraint messages_encoding_check;
alter table messages add constraint messages_encoding_check check (encoding in ('GSM', 'UCS-2', 'binary')) not valid;
