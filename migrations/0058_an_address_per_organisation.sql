-- An address is unique among the people of an organisation, and among the operators. Were it unique over the
-- installation, inviting an address would reveal whether another organisation has it.
alter table users drop constraint users_email_key_key;
create unique index users_address on users (organisation_id, email_key) where organisation_id is not null;
create unique index users_operator_address on users (email_key) where organisation_id is null;
create index users_by_address on users (email_key);
