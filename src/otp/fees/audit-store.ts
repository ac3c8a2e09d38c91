import type { Db, Tx } from '../../db/connect.ts'
import { moneyToText } from '../../values/money.ts'

type LineFault = { organisation_id: string; line: bigint; charged: bigint; fees: bigint }

/** Ledger lines that are not the sum of the fees they charged. Lines of OTPs that were deleted since are left out. */
async function findLineFaults(db: Db | Tx): Promise<LineFault[]> {
  return db<LineFault[]>`
    with fee as (
      select organisation_id, fee_line as line, count(*) as otps,
        sum(coalesce(request_fee, 0) + coalesce(verified_fee, 0))::bigint as fees
      from otps where fee_line is not null group by organisation_id, fee_line
    ),
    charge as (
      select organisation_id, sequence as line, subjects, -amount as charged from ledger_lines where kind = 'otp'
    )
    select organisation_id, line, coalesce(charged, 0) as charged, fees
    from fee left join charge using (organisation_id, line)
    where subjects is null or otps > subjects or (otps = subjects and fees <> charged)`
}

type RefundFault = { organisation_id: string; otp_id: string; refunded: bigint; owed: bigint }

/** OTPs whose refund is not what is owed. */
async function findRefundFaults(db: Db | Tx): Promise<RefundFault[]> {
  return db<RefundFault[]>`
    with refund as (
      select organisation_id, subject_id as id, amount as refunded from ledger_lines
      where kind = 'refund' and subject_key = ''
    )
    select organisation_id, id as otp_id, coalesce(refunded, 0) as refunded,
      case when verified_fee_refunded then verified_fee else 0 end as owed
    from otps left join refund using (organisation_id, id)
    where coalesce(refunded, 0) <> case when verified_fee_refunded then verified_fee else 0 end`
}

/** Compares charges and refunds of fees with the OTPs; returns a sentence per difference. */
export async function auditFees(db: Db | Tx): Promise<string[]> {
  const [lines, refunds] = [await findLineFaults(db), await findRefundFaults(db)]
  return [
    ...lines.map(
      ({ organisation_id, line, charged, fees }) =>
        `ledger line ${line} of ${organisation_id}: charged ${moneyToText(charged)} for fees of ${moneyToText(fees)}`,
    ),
    ...refunds.map(
      ({ organisation_id, otp_id, refunded, owed }) =>
        `OTP ${otp_id} of ${organisation_id}: refunded ${moneyToText(refunded)}, owed ${moneyToText(owed)}`,
    ),
  ]
}
