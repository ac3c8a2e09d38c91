-- How a delivery was routed: 1 for a one-time password, whose text is not sealed any more once it was submitted; null: any
-- other message.
alter table deliveries add column routing smallint;

-- What became of the messages that carriers were given, by the hour in which the messages were accepted (UTC). Counted in
-- memory and added once a second. See docs/decisions/0078.
create table evidence (
  hour timestamptz not null,
  carrier text not null,
  -- Of the number, by its prefix.
  country text not null,
  operator text not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  class text not null check (class in ('otp', 'other')),
  -- Accepted by the carrier.
  submitted bigint not null,
  -- Not accepted, by cause; the causes are those of src/observe/evidence.ts, in that order.
  rejections bigint[] not null,
  delivered bigint not null,
  -- Reported as not delivered.
  undelivered bigint not null,
  -- The report is overdue.
  no_report bigint not null,
  -- Reports by the time since the carrier accepted the message; the bounds are those of src/observe/evidence.ts.
  report_times bigint[] not null,
  -- One-time passwords that were verified.
  verified bigint not null,
  cost bigint not null,
  -- Accepted, and their time to be verified or delivered is over; `good`: of these, those that were.
  judged bigint not null,
  good bigint not null,
  -- One-time passwords that were reported as delivered within ten seconds, and their time to be verified is over; `proven`:
  -- of these, those that were verified.
  claimed bigint not null default 0,
  proven bigint not null default 0,
  -- Reports `delivered` on a number that another carrier reported as not in use within the last hour, and on a number that
  -- another carrier reported as reached.
  contradicted bigint not null default 0,
  confirmed bigint not null default 0,
  -- Messages for which the evidence advised another carrier, what that carrier would have saved, and how many more messages
  -- it would have delivered, in ten-thousandths.
  advised bigint not null default 0,
  saved bigint not null default 0,
  gained bigint not null default 0,
  -- When the row was last written: processes that choose carriers read what has changed.
  changed_at timestamptz not null default now(),
  primary key (hour, carrier, country, operator, channel, class)
) with (fillfactor = 70);
