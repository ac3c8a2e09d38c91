-- What an installation of the very first release held: its schema was migrations/0001 alone. Two organisations with their
-- money, messages in every state, callbacks, jobs, reports and what the handsets showed. Never changed: every later
-- migration has to cope with it.
insert into organisations
  (id, name, mode, twin_of, default_country, default_sender_id, currency, callback_secrets, created_datetime)
values
  ('01900000-0000-7000-8000-000000000001', 'First', 'live', null, 'NG', 'Shop', 'NGN', array['whsec_a', 'whsec_b'], '2026-01-05'),
  ('01900000-0000-7000-8000-000000000002', 'First (test)', 'test', '01900000-0000-7000-8000-000000000001', 'NG', null, 'NGN', array['whsec_c'], '2026-01-05'),
  ('01900000-0000-7000-8000-000000000003', 'Clinic', 'live', null, 'GH', 'Clinic', 'NGN', array['whsec_d'], '2026-02-01');

insert into api_keys (id, organisation_id, key_hash, hint, name, scopes, revoked_datetime) values
  ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', sha256('one'), 'gg_live_a…b', null, null, null),
  ('01900000-0000-7000-8000-000000000012', '01900000-0000-7000-8000-000000000001', sha256('two'), 'gg_live_c…d', 'old', array['sms', 'lists'], '2026-01-06');

insert into balances (organisation_id) select id from organisations;
with lines as (
  insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id, subject_key, created_datetime) values
    ('01900000-0000-7000-8000-000000000001', 1, 'opening', 10000000, 10000000, '01900000-0000-7000-8000-0000000000a1', '', '2026-02-01'),
    ('01900000-0000-7000-8000-000000000001', 2, 'message', -160000, 9840000, '01a00000-0000-7000-8000-000000000001', '', '2026-02-01'),
    ('01900000-0000-7000-8000-000000000001', 3, 'refund', 40000, 9880000, '01a00000-0000-7000-8000-000000000001', '2348000000003', '2026-02-01'),
    ('01900000-0000-7000-8000-000000000001', 4, 'top_up', 138800, 10018800, '01900000-0000-7000-8000-0000000000a2', '', '2026-02-01'),
    ('01900000-0000-7000-8000-000000000001', 5, 'message', -20000, 9998800, '01a00000-0000-7000-8000-000000000002', '', '2026-02-01'),
    ('01900000-0000-7000-8000-000000000003', 1, 'opening', 500, 500, '01900000-0000-7000-8000-0000000000a3', '', '2026-02-01')
  returning organisation_id, sequence, balance_after
)
update balances set balance = balance_after, sequence = newest.sequence
from (select distinct on (organisation_id) * from lines order by organisation_id, sequence desc) newest
where newest.organisation_id = balances.organisation_id;

insert into messages (organisation_id, id, channel, sender_id, content, external_ref, is_trackable, callback, encoding, message_length, pages, charge) values
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', 'sms', 'Shop', E'Tab\t "quotes" \\ ẹ', 'ref 1', false, 'http://127.0.0.1:1/x', 'UCS-2', 17, 1, 160000),
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000002', 'whatsapp', 'Shop', 'Later', null, true, null, 'GSM', 5, 1, 20000);

insert into deliveries (organisation_id, message_id, recipient, position, status, pages, charge, refunded, route, carrier) values
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348031234567', 0, 'delivered', 1, 40000, false, 'sms', 'simulator'),
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348000000001', 1, 'undelivered', 1, 40000, false, 'sms', 'simulator'),
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348000000003', 2, 'rejected', 1, 40000, true, 'sms', 'simulator'),
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348031234568', 3, 'sent', 1, 40000, false, 'sms', 'simulator'),
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000002', '2348031234569', 0, 'queued', 1, 20000, false, 'whatsapp', null);

insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key) values
  ('route:whatsapp', 2, '01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000002', '2348031234569'),
  ('callbacks', 1, '01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-0000000000c1', '');
insert into queue_rates (queue, tokens) values ('route:sms', 3.5);
insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due) values
  ('simulator', 'abc-1', '01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348031234568', now() + interval '1 hour');
insert into reports (id, carrier, carrier_message_id, status) values
  ('01a00000-0000-7000-8000-0000000000b1', 'simulator', 'abc-9', 'delivered');
insert into sweeps (name, done_until) values ('overdue', '2026-02-01');
insert into idempotency_keys (organisation_id, key, request_hash, answer) values
  ('01900000-0000-7000-8000-000000000001', 'key 1', sha256('body'), '{"id":"x"}');
insert into callbacks (organisation_id, id, type, url, body, subject_id) values
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-0000000000c1', 'text.delivered', 'http://127.0.0.1:1/x', '{"a":1}', '01a00000-0000-7000-8000-000000000001');
insert into callback_attempts (organisation_id, callback_id, attempt, status_code, duration_ms) values
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-0000000000c1', 1, 500, 12);
insert into sandbox_messages (organisation_id, message_id, recipient, id, sender_id, channel, text) values
  ('01900000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2348031234567', '01a00000-0000-7000-8000-0000000000d1', 'Shop', 'sms', 'Tab');
