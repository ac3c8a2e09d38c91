-- What a price list charges beside messages; null: nothing.
alter table price_lists
  add column otp_per_request bigint check (otp_per_request between 0 and 10000000000),
  -- Charged with the request, and refunded once the OTP has ended without being verified.
  add column otp_per_verified bigint check (otp_per_verified between 0 and 10000000000),
  -- Added to the price of airtime, in hundredths of a percent; negative: a discount.
  add column airtime_commission integer check (airtime_commission between -5000 and 10000),
  add constraint price_lists_fees check (
    (kind = 'price' and managed_by = 'operator')
    or (otp_per_request is null and otp_per_verified is null and airtime_commission is null)
  );

-- Fees of OTPs are charged with their messages, by a ledger line of their own for the OTPs of a batch.
alter table ledger_lines drop constraint ledger_lines_kind_check;
alter table ledger_lines add constraint ledger_lines_kind_check check (
  kind in ('opening', 'top_up', 'adjustment', 'message', 'otp', 'airtime', 'lookup', 'refund')
);

alter table otps
  -- What was charged for the request, and for its verification; null: nothing.
  add column request_fee bigint check (request_fee > 0),
  add column verified_fee bigint check (verified_fee > 0),
  -- The ledger line that charged them.
  add column fee_line bigint,
  -- The OTP ended unverified. From then on it cannot be verified.
  add column verified_fee_refunded boolean not null default false,
  add constraint otps_fees check ((fee_line is null) = (request_fee is null and verified_fee is null)),
  add constraint otps_refunded check (not verified_fee_refunded or (verified_fee is not null and status <> 4));

-- Charged beside the amount; negative: a discount.
alter table purchases
  add column commission bigint,
  add constraint purchases_commission check (amount + coalesce(commission, 0) > 0);
