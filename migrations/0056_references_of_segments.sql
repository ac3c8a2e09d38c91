-- The reports on segments repeat the user_message_reference that each was submitted with.
alter table smpp_long_texts add column user_references integer[] not null default '{}';
comment on column smpp_long_texts.user_references is 'user_message_reference of each segment, by their numbers; null: it had none.';
