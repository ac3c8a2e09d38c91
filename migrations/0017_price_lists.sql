-- Price lists of the installation. The prices of the configuration file are the list `file`: it has a row once an operator
-- assigns it or makes it the default, and no rules here.

create table price_lists (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  managed_by text not null check (managed_by in ('operator', 'file')),
  -- Of organisations without an assignment. If no list is marked, the default is that of the configuration file.
  is_default boolean not null default false,
  -- Raised by every change of its rules: processes read the list again, and a change is refused if it was made for another
  -- version.
  version bigint not null default 0,
  created_datetime timestamptz not null default now(),
  changed_datetime timestamptz not null default now(),
  check ((name = 'file') = (managed_by = 'file'))
);
create unique index price_lists_default on price_lists (is_default) where is_default;

-- The list of an organisation and of its test organisation. A list that is assigned cannot be deleted.
create table price_assignments (
  organisation_id uuid primary key references organisations,
  price_list_id uuid not null references price_lists
);
create index price_assignments_by_list on price_assignments (price_list_id);

-- What changed a list, one row per version.
create table price_changes (
  price_list_id uuid not null references price_lists on delete cascade,
  version bigint not null,
  kind text not null check (kind in ('set', 'import', 'undo')),
  actor text not null,
  file_name text check (length(file_name) <= 200),
  added integer not null,
  raised integer not null,
  lowered integer not null,
  removed integer not null,
  -- The undo that reverted this import.
  undone_by bigint,
  created_datetime timestamptz not null default now(),
  primary key (price_list_id, version)
);

-- Rules are added and withdrawn, never updated: of those of a target that are not withdrawn, the one with the latest
-- `valid_from` that has passed applies.
create table price_rules (
  price_list_id uuid not null references price_lists on delete cascade,
  id bigint generated always as identity,
  -- Channel, class, prefix, country and operator in one text: rules with the same target replace each other.
  target text collate "C" not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  route_class text check (route_class in ('transactional', 'promotional')),
  prefix text not null check (prefix ~ '^[0-9]{0,15}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  operator text check (length(operator) between 1 and 60),
  -- The network as an imported file named it: country and operator follow from it.
  mcc_mnc text check (length(mcc_mnc) <= 20),
  -- Per page; null: from then on the target has no price of its own.
  price bigint check (price between 0 and 10000000000),
  valid_from timestamptz not null,
  -- The changes that added and withdrew it.
  version bigint not null,
  withdrawn_version bigint,
  primary key (price_list_id, id)
);
create unique index price_rules_active on price_rules (price_list_id, target, valid_from) where withdrawn_version is null;
create index price_rules_by_target on price_rules (price_list_id, target, id);
create index price_rules_by_version on price_rules (price_list_id, version);
create index price_rules_by_withdrawal on price_rules (price_list_id, withdrawn_version)
  where withdrawn_version is not null;
