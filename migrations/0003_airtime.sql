-- Airtime: what was bought, and every try to buy it from a vendor.

create table purchases (
  organisation_id uuid not null,
  id uuid not null,
  -- The number of the ledger line that charged it. Lines are numbered under the balance's lock, so this is the order
  -- of purchases, also of those that two processes took at the same moment.
  sequence bigint not null,
  network text not null check (network in ('Airtel', 'MTN', 'Glo', '9mobile', 'NTEL')),
  recipient text not null,
  -- Charged, and topped up.
  amount bigint not null check (amount > 0),
  external_ref text,
  callback text,
  idempotency_key text,
  warnings text[] not null default '{}',
  -- Who may be asked to sell it, in this order.
  vendors text[] not null check (cardinality(vendors) > 0),
  status text not null default 'pending' check (status in
    ('pending', 'sent', 'success', 'failed', 'error', 'duplicate')),
  refunded boolean not null default false,
  description text,
  -- No vendor could say in time what became of it: the operator decides.
  review_datetime timestamptz,
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, id),
  -- What was not bought is given back, always and only.
  check (refunded = (status in ('failed', 'error', 'duplicate'))),
  -- Only what a vendor may have is unclear.
  check (review_datetime is null or status in ('sent', 'success', 'failed'))
) with (fillfactor = 80);
create index purchases_by_external_ref on purchases (organisation_id, external_ref, id)
  where external_ref is not null;
create index purchases_by_recipient on purchases (organisation_id, recipient, sequence);
create index purchases_in_review on purchases (organisation_id, id)
  where review_datetime is not null and status = 'sent';

-- One vendor asked to sell one purchase, written down before it is called. The reference is what the vendor knows the
-- purchase by; it never changes, so that asking or calling again can only ever mean the same purchase.
create table purchase_tries (
  organisation_id uuid not null,
  purchase_id uuid not null,
  -- The vendor's place in the purchase's list.
  position smallint not null check (position >= 0),
  vendor text not null,
  reference text not null,
  -- `calling`: a call is under way, or its answer was lost with the process.
  status text not null check (status in
    ('calling', 'unreached', 'accepted', 'unclear', 'success', 'failed', 'error', 'duplicate')),
  calls smallint not null default 1 check (calls > 0),
  requeries smallint not null default 0 check (requeries >= 0),
  vendor_purchase_id text,
  code text,
  description text,
  -- What the vendor took for it, and what it left us, where the vendor says so.
  cost bigint,
  vendor_balance bigint,
  called_datetime timestamptz not null default now(),
  created_datetime timestamptz not null default now(),
  updated_datetime timestamptz,
  primary key (organisation_id, purchase_id, position)
) with (fillfactor = 80);
create index purchase_tries_by_reference on purchase_tries (vendor, reference);
create index purchase_tries_by_vendor_purchase_id on purchase_tries (vendor, vendor_purchase_id)
  where vendor_purchase_id is not null;

-- What the sandbox's airtime vendor has sold.
create table sandbox_topups (
  organisation_id uuid not null,
  reference text not null,
  recipient text not null,
  network text not null,
  amount bigint not null,
  created_datetime timestamptz not null default now(),
  primary key (organisation_id, reference)
);
create index sandbox_topups_by_age on sandbox_topups (created_datetime);
