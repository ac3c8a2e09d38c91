-- Settings, callbacks and the balance were open to every key. Each has a scope of its own now.
alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check
  check (scopes <@ array['sms', 'otp', 'airtime', 'lookup', 'lists', 'settings', 'callbacks', 'balance']);
