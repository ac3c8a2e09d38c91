-- Long texts also come in parts over Kannel's sendsms: their reports go to a URL, and they may be of low priority.
alter table smpp_long_texts
  -- Where reports go, as a message has it; null: over the bind of the account, as `wanted` says.
  add column callback text,
  add column in_no_hurry boolean not null default false;
