# Written by `npm run clients` from openapi.json.
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

AccountPage = TypedDict("AccountPage", {
    "balance": float,
    "currency": str,
    "low_balance": NotRequired[float],
    "credit_limit": NotRequired[float],
    "daily_spending_limit": NotRequired[float],
    "spent_today": NotRequired[float],
    "opening_balance": NotRequired[float],
    "closing_balance": NotRequired[float],
    "entries": list["LedgerEntry"],
    "meta": "ListMeta",
})

AirtimeBuyBody = TypedDict("AirtimeBuyBody", {
    "network": Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"],
    "amount": float,
    "recipient": str,
    "callback": NotRequired[str],
    "external_ref": NotRequired[str],
})

AirtimeDuplicateEvent = TypedDict("AirtimeDuplicateEvent", {
    "id": str,
    "type": Literal["airtime.duplicate"],
    "created_datetime": str,
    "data": "PurchaseReport",
})

AirtimeErrorEvent = TypedDict("AirtimeErrorEvent", {
    "id": str,
    "type": Literal["airtime.error"],
    "created_datetime": str,
    "data": "PurchaseReport",
})

AirtimeFailedEvent = TypedDict("AirtimeFailedEvent", {
    "id": str,
    "type": Literal["airtime.failed"],
    "created_datetime": str,
    "data": "PurchaseReport",
})

AirtimeSuccessEvent = TypedDict("AirtimeSuccessEvent", {
    "id": str,
    "type": Literal["airtime.success"],
    "created_datetime": str,
    "data": "PurchaseReport",
})

AnalyticsAnswerSeries = TypedDict("AnalyticsAnswerSeries", {
    "start_datetime": str,
    "accepted": int,
    "delivered": int,
    "read": NotRequired[int],
    "failed": int,
    "unknown": int,
    "canceled": int,
    "pages": int,
    "cost": float,
    "refunded": float,
    "delivery_rate": NotRequired[float],
    "otp": NotRequired["OtpFigures"],
})
AnalyticsAnswerValues = TypedDict("AnalyticsAnswerValues", {
    "value": str,
    "name": NotRequired[str],
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "accepted": int,
    "delivered": int,
    "read": NotRequired[int],
    "failed": int,
    "unknown": int,
    "canceled": int,
    "pages": int,
    "cost": float,
    "refunded": float,
    "delivery_rate": NotRequired[float],
    "otp": NotRequired["OtpFigures"],
    "previous": NotRequired["AnalyticsFigures"],
})
AnalyticsAnswerOther = TypedDict("AnalyticsAnswerOther", {
    "accepted": int,
    "delivered": int,
    "read": NotRequired[int],
    "failed": int,
    "unknown": int,
    "canceled": int,
    "pages": int,
    "cost": float,
    "refunded": float,
    "delivery_rate": NotRequired[float],
    "otp": NotRequired["OtpFigures"],
    "previous": NotRequired["AnalyticsFigures"],
})
AnalyticsAnswerPreviousSeries = TypedDict("AnalyticsAnswerPreviousSeries", {
    "start_datetime": str,
    "accepted": int,
    "delivered": int,
    "read": NotRequired[int],
    "failed": int,
    "unknown": int,
    "canceled": int,
    "pages": int,
    "cost": float,
    "refunded": float,
    "delivery_rate": NotRequired[float],
    "otp": NotRequired["OtpFigures"],
})
AnalyticsAnswerPrevious = TypedDict("AnalyticsAnswerPrevious", {
    "from": str,
    "until": str,
    "totals": "AnalyticsFigures",
    "series": list["AnalyticsAnswerPreviousSeries"],
})
AnalyticsAnswer = TypedDict("AnalyticsAnswer", {
    "from": str,
    "until": str,
    "time_zone": str,
    "interval": Literal["hour", "day", "month"],
    "currency": str,
    "totals": "AnalyticsFigures",
    "series": list["AnalyticsAnswerSeries"],
    "by": NotRequired[Literal["channel", "country", "operator", "sender", "route", "error", "template"]],
    "values": NotRequired[list["AnalyticsAnswerValues"]],
    "other": NotRequired["AnalyticsAnswerOther"],
    "previous": NotRequired["AnalyticsAnswerPrevious"],
    "meta": "RequestMeta",
})

AnalyticsFigures = TypedDict("AnalyticsFigures", {
    "accepted": int,
    "delivered": int,
    "read": NotRequired[int],
    "failed": int,
    "unknown": int,
    "canceled": int,
    "pages": int,
    "cost": float,
    "refunded": float,
    "delivery_rate": NotRequired[float],
    "otp": NotRequired["OtpFigures"],
})

Assignee = TypedDict("Assignee", {
    "id": str,
    "name": str,
})

Assignees = TypedDict("Assignees", {
    "assignees": list["Assignee"],
})

BalanceExhaustedEventData = TypedDict("BalanceExhaustedEventData", {
    "balance": float,
    "credit_limit": float,
    "charge": float,
    "currency": str,
})
BalanceExhaustedEvent = TypedDict("BalanceExhaustedEvent", {
    "id": str,
    "type": Literal["balance.exhausted"],
    "created_datetime": str,
    "data": "BalanceExhaustedEventData",
})

BalanceLowEventData = TypedDict("BalanceLowEventData", {
    "balance": float,
    "low_balance": float,
    "currency": str,
})
BalanceLowEvent = TypedDict("BalanceLowEvent", {
    "id": str,
    "type": Literal["balance.low"],
    "created_datetime": str,
    "data": "BalanceLowEventData",
})

BalanceSpending_limitEventData = TypedDict("BalanceSpending_limitEventData", {
    "key_id": str,
    "key": str,
    "name": NotRequired[str],
    "daily_spending_limit": float,
    "charge": float,
    "currency": str,
})
BalanceSpending_limitEvent = TypedDict("BalanceSpending_limitEvent", {
    "id": str,
    "type": Literal["balance.spending_limit"],
    "created_datetime": str,
    "data": "BalanceSpending_limitEventData",
})

BoughtPurchaseMetaCharge = TypedDict("BoughtPurchaseMetaCharge", {
    "amount": float,
    "commission": NotRequired[float],
    "available_balance": float,
    "balance_before": float,
    "refunded": bool,
})
BoughtPurchaseMeta = TypedDict("BoughtPurchaseMeta", {
    "method": str,
    "resource": str,
    "charge": "BoughtPurchaseMetaCharge",
    "warnings": NotRequired[list[str]],
})
BoughtPurchase = TypedDict("BoughtPurchase", {
    "id": str,
    "recipient": str,
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "status": Literal["pending", "sent", "failed", "error", "success", "duplicate"],
    "created_datetime": str,
    "network": Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"],
    "meta": "BoughtPurchaseMeta",
})

BulkAnswer = TypedDict("BulkAnswer", {
    "rows": list["ContactRow"],
    "table": "ContactTable",
})

CallbackAnswer = TypedDict("CallbackAnswer", {
    "id": str,
    "event_id": str,
    "webhook_id": NotRequired[str],
    "type": str,
    "url": str,
    "status": Literal["pending", "delivered", "stopped", "failed"],
    "attempts": int,
    "subject_id": str,
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "next_attempt_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

CallbackPage = TypedDict("CallbackPage", {
    "callbacks": list["ListedCallback"],
    "meta": "ListMeta",
})

CallbackWithAttemptsAnswerAttemptsLog = TypedDict("CallbackWithAttemptsAnswerAttemptsLog", {
    "attempt": int,
    "status_code": NotRequired[int],
    "reason": NotRequired[str],
    "excerpt": NotRequired[str],
    "duration_ms": int,
    "created_datetime": str,
})
CallbackWithAttemptsAnswer = TypedDict("CallbackWithAttemptsAnswer", {
    "id": str,
    "event_id": str,
    "webhook_id": NotRequired[str],
    "type": str,
    "url": str,
    "status": Literal["pending", "delivered", "stopped", "failed"],
    "attempts": int,
    "subject_id": str,
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "next_attempt_datetime": NotRequired[str],
    "body": str,
    "attempts_log": list["CallbackWithAttemptsAnswerAttemptsLog"],
    "meta": "RequestMeta",
})

CampaignFilters = TypedDict("CampaignFilters", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignFiltersValueAny = TypedDict("CampaignFiltersValueAny", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignFiltersValue = TypedDict("CampaignFiltersValue", {
    "any": list["CampaignFiltersValueAny"],
})
CampaignTexts = TypedDict("CampaignTexts", {
    "content": str,
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "share": int,
})
CampaignEstimateSizes = TypedDict("CampaignEstimateSizes", {
    "text_number": int,
    "encoding": str,
    "pages": int,
    "people": int,
    "charge": float,
})
CampaignEstimateSamples = TypedDict("CampaignEstimateSamples", {
    "recipient": str,
    "text": str,
    "text_number": int,
    "encoding": str,
    "pages": int,
    "charge": float,
})
CampaignEstimate = TypedDict("CampaignEstimate", {
    "is_complete": bool,
    "rows": int,
    "people": int,
    "charge": float,
    "sizes": list["CampaignEstimateSizes"],
    "left_out": dict[str, int],
    "samples": list["CampaignEstimateSamples"],
    "estimated_datetime": NotRequired[str],
})
CampaignProgress = TypedDict("CampaignProgress", {
    "accepted": int,
    "charge": float,
    "dropped": int,
    "taken_back": int,
    "given_back": float,
})
Campaign = TypedDict("Campaign", {
    "id": str,
    "name": str,
    "status": Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"],
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list[Union["CampaignFilters", "CampaignFiltersValue"]]],
    "uploaded": int,
    "is_incomplete": NotRequired[bool],
    "resend_of": NotRequired[str],
    "channel": str,
    "sender_id": NotRequired[str],
    "texts": list["CampaignTexts"],
    "route_class": str,
    "is_trackable": bool,
    "smart_encoding": NotRequired[bool],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "pace_per_hour": NotRequired[int],
    "quiet_from": NotRequired[str],
    "quiet_until": NotRequired[str],
    "estimate": NotRequired["CampaignEstimate"],
    "progress": "CampaignProgress",
    "pause_reason": NotRequired[str],
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "started_datetime": NotRequired[str],
    "ended_datetime": NotRequired[str],
})

CampaignAnswerFilters = TypedDict("CampaignAnswerFilters", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignAnswerFiltersValueAny = TypedDict("CampaignAnswerFiltersValueAny", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignAnswerFiltersValue = TypedDict("CampaignAnswerFiltersValue", {
    "any": list["CampaignAnswerFiltersValueAny"],
})
CampaignAnswerTexts = TypedDict("CampaignAnswerTexts", {
    "content": str,
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "share": int,
})
CampaignAnswerEstimateSizes = TypedDict("CampaignAnswerEstimateSizes", {
    "text_number": int,
    "encoding": str,
    "pages": int,
    "people": int,
    "charge": float,
})
CampaignAnswerEstimateSamples = TypedDict("CampaignAnswerEstimateSamples", {
    "recipient": str,
    "text": str,
    "text_number": int,
    "encoding": str,
    "pages": int,
    "charge": float,
})
CampaignAnswerEstimate = TypedDict("CampaignAnswerEstimate", {
    "is_complete": bool,
    "rows": int,
    "people": int,
    "charge": float,
    "sizes": list["CampaignAnswerEstimateSizes"],
    "left_out": dict[str, int],
    "samples": list["CampaignAnswerEstimateSamples"],
    "estimated_datetime": NotRequired[str],
})
CampaignAnswerProgress = TypedDict("CampaignAnswerProgress", {
    "accepted": int,
    "charge": float,
    "dropped": int,
    "taken_back": int,
    "given_back": float,
})
CampaignAnswer = TypedDict("CampaignAnswer", {
    "id": str,
    "name": str,
    "status": Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"],
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list[Union["CampaignAnswerFilters", "CampaignAnswerFiltersValue"]]],
    "uploaded": int,
    "is_incomplete": NotRequired[bool],
    "resend_of": NotRequired[str],
    "channel": str,
    "sender_id": NotRequired[str],
    "texts": list["CampaignAnswerTexts"],
    "route_class": str,
    "is_trackable": bool,
    "smart_encoding": NotRequired[bool],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "pace_per_hour": NotRequired[int],
    "quiet_from": NotRequired[str],
    "quiet_until": NotRequired[str],
    "estimate": NotRequired["CampaignAnswerEstimate"],
    "progress": "CampaignAnswerProgress",
    "pause_reason": NotRequired[str],
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "started_datetime": NotRequired[str],
    "ended_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

CampaignPage = TypedDict("CampaignPage", {
    "campaigns": list["Campaign"],
    "meta": "ListMeta",
})

CampaignRecipient = TypedDict("CampaignRecipient", {
    "recipient": str,
    "substitutions": NotRequired[dict[str, str]],
    "reason": NotRequired[str],
    "status": NotRequired[str],
    "code": NotRequired[str],
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "message_id": NotRequired[str],
})

CampaignRecipientPage = TypedDict("CampaignRecipientPage", {
    "recipients": list["CampaignRecipient"],
    "meta": "ScrollMeta",
})

CampaignReportAnswerFailures = TypedDict("CampaignReportAnswerFailures", {
    "outcome": str,
    "code": str,
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "operator": str,
    "people": int,
})
CampaignReportAnswerOperators = TypedDict("CampaignReportAnswerOperators", {
    "operator": str,
    "people": int,
    "delivered": int,
})
CampaignReportAnswerHours = TypedDict("CampaignReportAnswerHours", {
    "hour": str,
    "delivered": int,
    "failed": int,
})
CampaignReportAnswerTexts = TypedDict("CampaignReportAnswerTexts", {
    "text_number": int,
    "people": int,
    "delivered": int,
    "clicked": int,
    "delivered_rate": float,
    "clicked_rate": float,
})
CampaignReportAnswer = TypedDict("CampaignReportAnswer", {
    "people": int,
    "outcomes": dict[str, int],
    "clicked": int,
    "replied": int,
    "opted_out": int,
    "charge": float,
    "refunded": float,
    "failures": list["CampaignReportAnswerFailures"],
    "operators": list["CampaignReportAnswerOperators"],
    "hours": list["CampaignReportAnswerHours"],
    "texts": list["CampaignReportAnswerTexts"],
    "winner": NotRequired[int],
    "meta": "RequestMeta",
})

CampaignWithOutcomesAnswerFilters = TypedDict("CampaignWithOutcomesAnswerFilters", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignWithOutcomesAnswerFiltersValueAny = TypedDict("CampaignWithOutcomesAnswerFiltersValueAny", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CampaignWithOutcomesAnswerFiltersValue = TypedDict("CampaignWithOutcomesAnswerFiltersValue", {
    "any": list["CampaignWithOutcomesAnswerFiltersValueAny"],
})
CampaignWithOutcomesAnswerTexts = TypedDict("CampaignWithOutcomesAnswerTexts", {
    "content": str,
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "share": int,
})
CampaignWithOutcomesAnswerEstimateSizes = TypedDict("CampaignWithOutcomesAnswerEstimateSizes", {
    "text_number": int,
    "encoding": str,
    "pages": int,
    "people": int,
    "charge": float,
})
CampaignWithOutcomesAnswerEstimateSamples = TypedDict("CampaignWithOutcomesAnswerEstimateSamples", {
    "recipient": str,
    "text": str,
    "text_number": int,
    "encoding": str,
    "pages": int,
    "charge": float,
})
CampaignWithOutcomesAnswerEstimate = TypedDict("CampaignWithOutcomesAnswerEstimate", {
    "is_complete": bool,
    "rows": int,
    "people": int,
    "charge": float,
    "sizes": list["CampaignWithOutcomesAnswerEstimateSizes"],
    "left_out": dict[str, int],
    "samples": list["CampaignWithOutcomesAnswerEstimateSamples"],
    "estimated_datetime": NotRequired[str],
})
CampaignWithOutcomesAnswerProgress = TypedDict("CampaignWithOutcomesAnswerProgress", {
    "accepted": int,
    "charge": float,
    "dropped": int,
    "taken_back": int,
    "given_back": float,
})
CampaignWithOutcomesAnswer = TypedDict("CampaignWithOutcomesAnswer", {
    "id": str,
    "name": str,
    "status": Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"],
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list[Union["CampaignWithOutcomesAnswerFilters", "CampaignWithOutcomesAnswerFiltersValue"]]],
    "uploaded": int,
    "is_incomplete": NotRequired[bool],
    "resend_of": NotRequired[str],
    "channel": str,
    "sender_id": NotRequired[str],
    "texts": list["CampaignWithOutcomesAnswerTexts"],
    "route_class": str,
    "is_trackable": bool,
    "smart_encoding": NotRequired[bool],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "pace_per_hour": NotRequired[int],
    "quiet_from": NotRequired[str],
    "quiet_until": NotRequired[str],
    "estimate": NotRequired["CampaignWithOutcomesAnswerEstimate"],
    "progress": "CampaignWithOutcomesAnswerProgress",
    "pause_reason": NotRequired[str],
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "started_datetime": NotRequired[str],
    "ended_datetime": NotRequired[str],
    "outcomes": dict[str, int],
    "meta": "RequestMeta",
})

CampaignsAddRecipientsBodyRecipients = TypedDict("CampaignsAddRecipientsBodyRecipients", {
    "to": str,
    "substitutions": NotRequired[dict[str, str]],
})
CampaignsAddRecipientsBody = TypedDict("CampaignsAddRecipientsBody", {
    "recipients": NotRequired[list["CampaignsAddRecipientsBodyRecipients"]],
    "csv": NotRequired[str],
})

CampaignsCreateBodyFiltersAny = TypedDict("CampaignsCreateBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
CampaignsCreateBodyFilters = TypedDict("CampaignsCreateBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["CampaignsCreateBodyFiltersAny"]],
})
CampaignsCreateBody = TypedDict("CampaignsCreateBody", {
    "name": NotRequired[str],
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list["CampaignsCreateBodyFilters"]],
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "texts": NotRequired[list["TextBody"]],
    "sender_id": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "external_ref": NotRequired[str],
    "is_trackable": NotRequired[bool],
    "smart_encoding": NotRequired[bool],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "pace_per_hour": NotRequired[int],
    "quiet_from": NotRequired[str],
    "quiet_until": NotRequired[str],
    "is_incomplete": NotRequired[bool],
})

CampaignsStartBody = TypedDict("CampaignsStartBody", {
    "people": int,
    "charge": float,
})

CampaignsTestBody = TypedDict("CampaignsTestBody", {
    "recipients": Union[str, list[str]],
    "text": NotRequired[int],
})

CampaignsUpdateBodyFiltersAny = TypedDict("CampaignsUpdateBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
CampaignsUpdateBodyFilters = TypedDict("CampaignsUpdateBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["CampaignsUpdateBodyFiltersAny"]],
})
CampaignsUpdateBody = TypedDict("CampaignsUpdateBody", {
    "name": NotRequired[str],
    "smartlist_id": NotRequired[Union[str, None]],
    "filters": NotRequired[list["CampaignsUpdateBodyFilters"]],
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "texts": NotRequired[list["TextBody"]],
    "sender_id": NotRequired[Union[str, None]],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "external_ref": NotRequired[str],
    "is_trackable": NotRequired[bool],
    "smart_encoding": NotRequired[bool],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "callback": NotRequired[str],
    "send_at": NotRequired[Union[str, None]],
    "pace_per_hour": NotRequired[Union[int, None]],
    "quiet_from": NotRequired[Union[str, None]],
    "quiet_until": NotRequired[Union[str, None]],
    "is_incomplete": NotRequired[bool],
})

Change = TypedDict("Change", {
    "id": str,
    "action": Literal["set", "delete"],
    "status": Literal["running", "done", "undoing", "undone", "final"],
    "rows": int,
    "restored": int,
    "not_restored": int,
    "undo_until": NotRequired[str],
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

Column = TypedDict("Column", {
    "id": str,
    "name": str,
    "type": Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"],
    "options": NotRequired[list[str]],
    "conversion_id": NotRequired[str],
})

ColumnAnswer = TypedDict("ColumnAnswer", {
    "column": "Column",
    "table": "ContactTable",
})

Contact = TypedDict("Contact", {
    "id": str,
    "name": str,
})

ContactRow = TypedDict("ContactRow", {
    "id": str,
    "columns": dict[str, str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

ContactTable = TypedDict("ContactTable", {
    "id": str,
    "columns": list["Column"],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

ContactsChangesCreateBodyQueryFiltersAny = TypedDict("ContactsChangesCreateBodyQueryFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
ContactsChangesCreateBodyQueryFilters = TypedDict("ContactsChangesCreateBodyQueryFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["ContactsChangesCreateBodyQueryFiltersAny"]],
})
ContactsChangesCreateBodyQuery = TypedDict("ContactsChangesCreateBodyQuery", {
    "filters": NotRequired[list["ContactsChangesCreateBodyQueryFilters"]],
    "smartlist_id": NotRequired[str],
    "search": NotRequired[str],
    "except": NotRequired[list[str]],
})
ContactsChangesCreateBody = TypedDict("ContactsChangesCreateBody", {
    "action": Literal["set", "delete"],
    "columns": NotRequired[dict[str, Any]],
    "row_ids": NotRequired[list[str]],
    "query": NotRequired["ContactsChangesCreateBodyQuery"],
})

ContactsColumnsCreateBody = TypedDict("ContactsColumnsCreateBody", {
    "name": str,
    "type": NotRequired[Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"]],
    "options": NotRequired[list[str]],
})

ContactsColumnsListAnswer = TypedDict("ContactsColumnsListAnswer", {
    "columns": list["Column"],
    "meta": "RequestMeta",
})

ContactsColumnsUpdateBody = TypedDict("ContactsColumnsUpdateBody", {
    "name": NotRequired[str],
    "options": NotRequired[list[str]],
    "position": NotRequired[int],
})

ContactsConversionsCreateBody = TypedDict("ContactsConversionsCreateBody", {
    "type": Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"],
    "format": NotRequired[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]],
    "options": NotRequired[list[str]],
    "clear_unfit": NotRequired[bool],
    "dry_run": NotRequired[bool],
})

ContactsImportsCreateBody = TypedDict("ContactsImportsCreateBody", {
    "dry_run": NotRequired[bool],
    "upsert_by": NotRequired[str],
    "allow_duplicates": NotRequired[bool],
    "detect": NotRequired[Literal["certain", "likely"]],
    "new_columns": NotRequired[bool],
    "mapping": NotRequired[dict[str, Union[str, None]]],
    "types": NotRequired[dict[str, Union[str, None]]],
    "formats": NotRequired[dict[str, Union[str, None]]],
    "csv": NotRequired[str],
    "rows": NotRequired[list[list[Union[str, float, None, bool]]]],
})

ContactsImportsListAnswer = TypedDict("ContactsImportsListAnswer", {
    "imports": list["Import"],
    "meta": "ListMeta",
})

ContactsRowsBulkBody = TypedDict("ContactsRowsBulkBody", {
    "rows": list["RowBody"],
})

ContactsRowsCreateBody = TypedDict("ContactsRowsCreateBody", {
    "columns": dict[str, Any],
})

ContactsRowsExportBodyFiltersAny = TypedDict("ContactsRowsExportBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
ContactsRowsExportBodyFilters = TypedDict("ContactsRowsExportBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["ContactsRowsExportBodyFiltersAny"]],
})
ContactsRowsExportBody = TypedDict("ContactsRowsExportBody", {
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list["ContactsRowsExportBodyFilters"]],
    "search": NotRequired[str],
    "sort": NotRequired[str],
})

ContactsRowsQueryBodyFiltersAny = TypedDict("ContactsRowsQueryBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
ContactsRowsQueryBodyFilters = TypedDict("ContactsRowsQueryBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["ContactsRowsQueryBodyFiltersAny"]],
})
ContactsRowsQueryBody = TypedDict("ContactsRowsQueryBody", {
    "smartlist_id": NotRequired[str],
    "filters": NotRequired[list["ContactsRowsQueryBodyFilters"]],
    "search": NotRequired[str],
    "limit": NotRequired[int],
    "per_page": NotRequired[int],
    "page": NotRequired[int],
    "query_id": NotRequired[str],
    "sort": NotRequired[str],
})

ContactsSendsCreateBody = TypedDict("ContactsSendsCreateBody", {
    "smartlist_id": str,
    "sender_id": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "external_ref": NotRequired[str],
    "is_trackable": NotRequired[bool],
    "smart_encoding": NotRequired[bool],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
})

ContactsSmartlistsCreateBodyFiltersAny = TypedDict("ContactsSmartlistsCreateBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
ContactsSmartlistsCreateBodyFilters = TypedDict("ContactsSmartlistsCreateBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["ContactsSmartlistsCreateBodyFiltersAny"]],
})
ContactsSmartlistsCreateBody = TypedDict("ContactsSmartlistsCreateBody", {
    "name": str,
    "filters": list["ContactsSmartlistsCreateBodyFilters"],
})

ContactsSmartlistsUpdateBodyFiltersAny = TypedDict("ContactsSmartlistsUpdateBodyFiltersAny", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
})
ContactsSmartlistsUpdateBodyFilters = TypedDict("ContactsSmartlistsUpdateBodyFilters", {
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "operator": NotRequired[Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"]],
    "value": NotRequired[Union[str, float, bool, list[Union[str, float, bool]]]],
    "any": NotRequired[list["ContactsSmartlistsUpdateBodyFiltersAny"]],
})
ContactsSmartlistsUpdateBody = TypedDict("ContactsSmartlistsUpdateBody", {
    "name": NotRequired[str],
    "filters": NotRequired[list["ContactsSmartlistsUpdateBodyFilters"]],
})

ConversationAssignee = TypedDict("ConversationAssignee", {
    "id": str,
    "name": str,
})
Conversation = TypedDict("Conversation", {
    "phone": str,
    "channel": Literal["sms", "whatsapp"],
    "to": str,
    "sender_id": NotRequired[str],
    "received": int,
    "unread": int,
    "status": Literal["open", "closed"],
    "assignee": NotRequired["ConversationAssignee"],
    "contact": NotRequired["Contact"],
    "received_datetime": str,
    "window_until": NotRequired[str],
    "opted_out": bool,
})

ConversationMessageWhatsappButtonReply = TypedDict("ConversationMessageWhatsappButtonReply", {
    "id": str,
    "title": str,
})
ConversationMessageWhatsappListReply = TypedDict("ConversationMessageWhatsappListReply", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
ConversationMessageWhatsappLocation = TypedDict("ConversationMessageWhatsappLocation", {
    "latitude": float,
    "longitude": float,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
ConversationMessageWhatsappContactsName = TypedDict("ConversationMessageWhatsappContactsName", {
    "formatted_name": str,
    "first_name": NotRequired[str],
    "last_name": NotRequired[str],
})
ConversationMessageWhatsappContactsPhones = TypedDict("ConversationMessageWhatsappContactsPhones", {
    "phone": str,
    "type": NotRequired[str],
    "wa_id": NotRequired[str],
})
ConversationMessageWhatsappContactsEmails = TypedDict("ConversationMessageWhatsappContactsEmails", {
    "email": str,
    "type": NotRequired[str],
})
ConversationMessageWhatsappContacts = TypedDict("ConversationMessageWhatsappContacts", {
    "name": "ConversationMessageWhatsappContactsName",
    "phones": NotRequired[list["ConversationMessageWhatsappContactsPhones"]],
    "emails": NotRequired[list["ConversationMessageWhatsappContactsEmails"]],
})
ConversationMessageWhatsappImage = TypedDict("ConversationMessageWhatsappImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappVideo = TypedDict("ConversationMessageWhatsappVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappAudio = TypedDict("ConversationMessageWhatsappAudio", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappDocument = TypedDict("ConversationMessageWhatsappDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
ConversationMessageWhatsappSticker = TypedDict("ConversationMessageWhatsappSticker", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappHeaderImage = TypedDict("ConversationMessageWhatsappHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappHeaderVideo = TypedDict("ConversationMessageWhatsappHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappHeaderDocument = TypedDict("ConversationMessageWhatsappHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
ConversationMessageWhatsappHeader = TypedDict("ConversationMessageWhatsappHeader", {
    "text": NotRequired[str],
    "image": NotRequired["ConversationMessageWhatsappHeaderImage"],
    "video": NotRequired["ConversationMessageWhatsappHeaderVideo"],
    "document": NotRequired["ConversationMessageWhatsappHeaderDocument"],
})
ConversationMessageWhatsappReplyButtons = TypedDict("ConversationMessageWhatsappReplyButtons", {
    "id": str,
    "title": str,
})
ConversationMessageWhatsappListSectionsRows = TypedDict("ConversationMessageWhatsappListSectionsRows", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
ConversationMessageWhatsappListSections = TypedDict("ConversationMessageWhatsappListSections", {
    "title": NotRequired[str],
    "rows": list["ConversationMessageWhatsappListSectionsRows"],
})
ConversationMessageWhatsappList = TypedDict("ConversationMessageWhatsappList", {
    "button": str,
    "sections": list["ConversationMessageWhatsappListSections"],
})
ConversationMessageWhatsappUrlButton = TypedDict("ConversationMessageWhatsappUrlButton", {
    "title": str,
    "url": str,
})
ConversationMessageWhatsappTemplate = TypedDict("ConversationMessageWhatsappTemplate", {
    "name": str,
    "language": str,
})
ConversationMessageWhatsappButtons = TypedDict("ConversationMessageWhatsappButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
ConversationMessageWhatsappCardsHeaderImage = TypedDict("ConversationMessageWhatsappCardsHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappCardsHeaderVideo = TypedDict("ConversationMessageWhatsappCardsHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
ConversationMessageWhatsappCardsHeaderDocument = TypedDict("ConversationMessageWhatsappCardsHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
ConversationMessageWhatsappCardsHeader = TypedDict("ConversationMessageWhatsappCardsHeader", {
    "text": NotRequired[str],
    "image": NotRequired["ConversationMessageWhatsappCardsHeaderImage"],
    "video": NotRequired["ConversationMessageWhatsappCardsHeaderVideo"],
    "document": NotRequired["ConversationMessageWhatsappCardsHeaderDocument"],
})
ConversationMessageWhatsappCardsButtons = TypedDict("ConversationMessageWhatsappCardsButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
ConversationMessageWhatsappCards = TypedDict("ConversationMessageWhatsappCards", {
    "header": NotRequired["ConversationMessageWhatsappCardsHeader"],
    "texts": NotRequired[list[str]],
    "buttons": NotRequired[list["ConversationMessageWhatsappCardsButtons"]],
})
ConversationMessageWhatsapp = TypedDict("ConversationMessageWhatsapp", {
    "type": NotRequired[Literal["text", "button_reply", "list_reply", "image", "video", "audio", "document", "sticker", "location", "contacts", "reaction", "order", "unsupported"]],
    "reply_to": NotRequired[str],
    "button_reply": NotRequired["ConversationMessageWhatsappButtonReply"],
    "list_reply": NotRequired["ConversationMessageWhatsappListReply"],
    "location": NotRequired["ConversationMessageWhatsappLocation"],
    "contacts": NotRequired[list["ConversationMessageWhatsappContacts"]],
    "reaction": NotRequired[str],
    "image": NotRequired["ConversationMessageWhatsappImage"],
    "video": NotRequired["ConversationMessageWhatsappVideo"],
    "audio": NotRequired["ConversationMessageWhatsappAudio"],
    "document": NotRequired["ConversationMessageWhatsappDocument"],
    "sticker": NotRequired["ConversationMessageWhatsappSticker"],
    "header": NotRequired["ConversationMessageWhatsappHeader"],
    "footer": NotRequired[str],
    "reply_buttons": NotRequired[list["ConversationMessageWhatsappReplyButtons"]],
    "list": NotRequired["ConversationMessageWhatsappList"],
    "url_button": NotRequired["ConversationMessageWhatsappUrlButton"],
    "template": NotRequired["ConversationMessageWhatsappTemplate"],
    "buttons": NotRequired[list["ConversationMessageWhatsappButtons"]],
    "cards": NotRequired[list["ConversationMessageWhatsappCards"]],
})
ConversationMessage = TypedDict("ConversationMessage", {
    "id": str,
    "direction": Literal["in", "out", "note"],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "text": NotRequired[str],
    "whatsapp": NotRequired["ConversationMessageWhatsapp"],
    "author": NotRequired[str],
    "sender_id": NotRequired[str],
    "keyword": NotRequired[Literal["stop", "start", "help"]],
    "media": NotRequired["ReceivedMedia"],
    "status": NotRequired[Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"]],
    "code": NotRequired[str],
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "pages": NotRequired[int],
    "charge": NotRequired[float],
    "refunded": NotRequired[bool],
    "send_at": NotRequired[str],
    "read_datetime": NotRequired[str],
    "created_datetime": str,
})

ConversationPage = TypedDict("ConversationPage", {
    "conversations": list["ListedConversation"],
    "meta": "ListMeta",
})

ConversationsAnswerBody = TypedDict("ConversationsAnswerBody", {
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "substitutions": NotRequired[dict[str, str]],
    "whatsapp": NotRequired["WhatsappContent"],
    "external_ref": NotRequired[str],
})

ConversationsAssignBody = TypedDict("ConversationsAssignBody", {
    "assignee_id": Union[str, None],
    "current_assignee_id": NotRequired[Union[str, None]],
})

ConversationsCloseBody = TypedDict("ConversationsCloseBody", {
    "received": NotRequired[int],
})

ConversationsNotesCreateBody = TypedDict("ConversationsNotesCreateBody", {
    "text": str,
})

ConversationsReadBody = TypedDict("ConversationsReadBody", {
    "received": NotRequired[int],
})

ConversionExamples = TypedDict("ConversionExamples", {
    "row_id": str,
    "value": str,
    "becomes": str,
})
ConversionFaults = TypedDict("ConversionFaults", {
    "row_id": str,
    "value": str,
    "message": str,
    "type": str,
})
Conversion = TypedDict("Conversion", {
    "id": str,
    "column_id": str,
    "status": Literal["checking", "checked", "running", "done", "final", "undone", "failed"],
    "from_type": Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"],
    "type": Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"],
    "format": NotRequired[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]],
    "options": NotRequired[list[str]],
    "clear_unfit": bool,
    "rows": int,
    "fits": int,
    "unfit": int,
    "examples": list["ConversionExamples"],
    "faults": list["ConversionFaults"],
    "undo_until": NotRequired[str],
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

CountedSmartlistFilters = TypedDict("CountedSmartlistFilters", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CountedSmartlistFiltersValueAny = TypedDict("CountedSmartlistFiltersValueAny", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
CountedSmartlistFiltersValue = TypedDict("CountedSmartlistFiltersValue", {
    "any": list["CountedSmartlistFiltersValueAny"],
})
CountedSmartlist = TypedDict("CountedSmartlist", {
    "id": str,
    "name": str,
    "filters": list[Union["CountedSmartlistFilters", "CountedSmartlistFiltersValue"]],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "count": int,
})

DeliveryLinks = TypedDict("DeliveryLinks", {
    "url": str,
    "short_url": str,
    "clicks": NotRequired[int],
    "clicks_raw": NotRequired[int],
    "clicked_datetime": NotRequired[str],
})
Delivery = TypedDict("Delivery", {
    "recipient": str,
    "text": NotRequired[str],
    "status": Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"],
    "code": NotRequired[str],
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "pages": int,
    "charge": float,
    "refunded": bool,
    "send_at": NotRequired[str],
    "clicks": NotRequired[int],
    "clicks_raw": NotRequired[int],
    "clicked_datetime": NotRequired[str],
    "links": NotRequired[list["DeliveryLinks"]],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "read_datetime": NotRequired[str],
    "price_category": NotRequired[str],
})

DeliveryReport = TypedDict("DeliveryReport", {
    "id": str,
    "recipient": str,
    "status": Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"],
    "channel": Literal["sms", "whatsapp"],
    "sender_id": NotRequired[str],
    "external_ref": NotRequired[str],
    "pages": int,
    "charge": float,
    "refunded": bool,
    "code": NotRequired[str],
    "description": NotRequired[str],
    "updated_datetime": str,
})

ErasureFound = TypedDict("ErasureFound", {
    "table": str,
    "rows": int,
})
Erasure = TypedDict("Erasure", {
    "id": str,
    "number_hash": str,
    "status": Literal["running", "done"],
    "asked_by": str,
    "found": list["ErasureFound"],
    "waits_for": NotRequired[list[str]],
    "created_datetime": str,
    "ended_datetime": NotRequired[str],
})

ErasureAnswerFound = TypedDict("ErasureAnswerFound", {
    "table": str,
    "rows": int,
})
ErasureAnswer = TypedDict("ErasureAnswer", {
    "id": str,
    "number_hash": str,
    "status": Literal["running", "done"],
    "asked_by": str,
    "found": list["ErasureAnswerFound"],
    "waits_for": NotRequired[list[str]],
    "created_datetime": str,
    "ended_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

ErasurePage = TypedDict("ErasurePage", {
    "erasures": list["Erasure"],
    "meta": "ListMeta",
})

Estimate = TypedDict("Estimate", {
    "available_balance": float,
    "charge": float,
    "encoding": Literal["GSM", "UCS-2"],
    "message_length": int,
    "pages": int,
})

EstimatedTextForeignCharacters = TypedDict("EstimatedTextForeignCharacters", {
    "character": str,
    "code_point": str,
    "positions": list[int],
    "look_alike": NotRequired[str],
})
EstimatedTextSmartEncoding = TypedDict("EstimatedTextSmartEncoding", {
    "text": str,
    "encoding": Literal["GSM", "UCS-2"],
    "message_length": int,
    "pages": int,
    "charge": float,
})
EstimatedTextGsm = TypedDict("EstimatedTextGsm", {
    "message_length": int,
    "pages": int,
    "charge": float,
})
EstimatedText = TypedDict("EstimatedText", {
    "text": str,
    "recipients": int,
    "encoding": Literal["GSM", "UCS-2"],
    "message_length": int,
    "pages": int,
    "charge": float,
    "foreign_characters": list["EstimatedTextForeignCharacters"],
    "smart_encoding": NotRequired["EstimatedTextSmartEncoding"],
    "gsm": NotRequired["EstimatedTextGsm"],
})

ExplainedAttempt = TypedDict("ExplainedAttempt", {
    "place": NotRequired[int],
    "carrier": NotRequired[str],
    "result": Literal["accepted", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "moved_on"],
    "code": NotRequired[str],
    "description": NotRequired[str],
    "advice": NotRequired[str],
    "created_datetime": NotRequired[str],
})

ExplainedCarrier = TypedDict("ExplainedCarrier", {
    "place": int,
    "carrier": NotRequired[str],
    "result": Literal["first", "candidate", "accepted", "rejected", "possible", "skipped", "not_chosen", "waiting", "paused", "draining", "untried", "unknown"],
})

ExplainedDeliveryChoice = TypedDict("ExplainedDeliveryChoice", {
    "reason": Literal["share", "cheapest", "good_enough", "explored", "only_candidate", "outage", "contract", "probe"],
    "advised_place": NotRequired[int],
    "advised_carrier": NotRequired[str],
})
ExplainedDeliveryRefund = TypedDict("ExplainedDeliveryRefund", {
    "refunded": bool,
    "reason": Literal["canceled", "rejected", "failed", "not_charged", "accepted", "possibly_accepted", "not_over"],
    "amount": NotRequired[float],
})
ExplainedDeliveryCost = TypedDict("ExplainedDeliveryCost", {
    "cost": float,
    "margin": float,
    "reason": Literal["accepted", "if_delivered", "delivered", "not_delivered"],
})
ExplainedDelivery = TypedDict("ExplainedDelivery", {
    "recipient": str,
    "sentences": list[str],
    "text": "ExplainedText",
    "price": "ExplainedPrice",
    "route": "ExplainedRoute",
    "carriers": list["ExplainedCarrier"],
    "status": Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"],
    "send_at": NotRequired[str],
    "choice": NotRequired["ExplainedDeliveryChoice"],
    "attempts": list["ExplainedAttempt"],
    "waits": NotRequired["ExplainedWait"],
    "refund": "ExplainedDeliveryRefund",
    "cost": NotRequired["ExplainedDeliveryCost"],
})

ExplainedEstimate = TypedDict("ExplainedEstimate", {
    "recipient": str,
    "sentences": list[str],
    "text": "ExplainedText",
    "price": "ExplainedPrice",
    "route": "ExplainedRoute",
    "carriers": list["ExplainedCarrier"],
})

ExplainedMessageEstimateSmartEncoding = TypedDict("ExplainedMessageEstimateSmartEncoding", {
    "applied": bool,
    "charge": float,
})
ExplainedMessageEstimateGsm = TypedDict("ExplainedMessageEstimateGsm", {
    "charge": float,
})
ExplainedMessageEstimateMeta = TypedDict("ExplainedMessageEstimateMeta", {
    "method": str,
    "resource": str,
    "estimate": "Estimate",
})
ExplainedMessageEstimate = TypedDict("ExplainedMessageEstimate", {
    "recipients": int,
    "texts": list["EstimatedText"],
    "texts_total": int,
    "smart_encoding": "ExplainedMessageEstimateSmartEncoding",
    "is_covered": bool,
    "gsm": "ExplainedMessageEstimateGsm",
    "meta": "ExplainedMessageEstimateMeta",
    "explanations": NotRequired[list["ExplainedEstimate"]],
})

ExplainedPriceRule = TypedDict("ExplainedPriceRule", {
    "channel": Literal["sms", "whatsapp"],
    "prefix": str,
    "country": NotRequired[str],
    "operator": NotRequired[str],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "price": float,
    "valid_from": NotRequired[str],
})
ExplainedPriceOtherRules = TypedDict("ExplainedPriceOtherRules", {
    "channel": Literal["sms", "whatsapp"],
    "prefix": str,
    "country": NotRequired[str],
    "operator": NotRequired[str],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "price": float,
    "valid_from": NotRequired[str],
    "result": Literal["less_specific", "other_operator", "other_class", "other_operator_or_class", "unknown"],
})
ExplainedPrice = TypedDict("ExplainedPrice", {
    "charge": float,
    "price": float,
    "source": Literal["price_list", "file", "none"],
    "price_list": NotRequired[str],
    "rule_id": NotRequired[int],
    "rule": NotRequired["ExplainedPriceRule"],
    "other_rules": list["ExplainedPriceOtherRules"],
})

ExplainedRoute = TypedDict("ExplainedRoute", {
    "result": Literal["matched", "number", "differs", "erased", "not_configured", "test", "opted_out", "dnd", "window"],
    "name": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "prefix": NotRequired[str],
    "country": NotRequired[str],
    "operator": NotRequired[str],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
})

ExplainedTextForcingCharacters = TypedDict("ExplainedTextForcingCharacters", {
    "character": str,
    "code_point": str,
    "position": int,
    "occurrences": int,
    "look_alike": NotRequired[str],
})
ExplainedText = TypedDict("ExplainedText", {
    "encoding": NotRequired[Literal["GSM", "UCS-2", "binary", "whatsapp"]],
    "message_length": NotRequired[int],
    "pages": int,
    "page_size": NotRequired[int],
    "pages_now": NotRequired[int],
    "gsm_pages": NotRequired[int],
    "forcing_characters": NotRequired[list["ExplainedTextForcingCharacters"]],
    "is_stored": bool,
})

ExplainedWait = TypedDict("ExplainedWait", {
    "reason": Literal["in_flight", "retry", "due", "no_job", "on_hold", "no_route", "not_served", "not_bound", "throttled", "paused", "draining", "rate", "refused", "waiting"],
    "attempts": int,
    "until": NotRequired[str],
    "detail": NotRequired[str],
})

ExplanationFees = TypedDict("ExplanationFees", {
    "per_request": NotRequired[float],
    "per_verified": NotRequired[float],
    "refunded": bool,
})
ExplanationCampaign = TypedDict("ExplanationCampaign", {
    "id": str,
    "name": str,
})
ExplanationMeta = TypedDict("ExplanationMeta", {
    "method": str,
    "resource": str,
    "pagination": "Pagination",
})
Explanation = TypedDict("Explanation", {
    "id": str,
    "channel": Literal["sms", "whatsapp"],
    "created_datetime": str,
    "is_otp": bool,
    "fees": NotRequired["ExplanationFees"],
    "campaign": NotRequired["ExplanationCampaign"],
    "sentences": list[str],
    "deliveries": list["ExplainedDelivery"],
    "meta": "ExplanationMeta",
})

FoundPhone = TypedDict("FoundPhone", {
    "msisdn": str,
    "operator": str,
    "country": str,
    "ported": bool,
    "dnd": bool,
    "source": Literal["provider", "cache", "carrier", "registry", "prefix", "none"],
    "age_s": NotRequired[int],
})

GuardPage = TypedDict("GuardPage", {
    "prefixes": list["GuardedPrefix"],
    "meta": "ListMeta",
})

GuardedPrefix = TypedDict("GuardedPrefix", {
    "prefix": str,
    "state": Literal["slowed", "blocked"],
    "sent": int,
    "verified": int,
    "until_datetime": str,
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

HandsetContentButtonReply = TypedDict("HandsetContentButtonReply", {
    "id": str,
    "title": str,
})
HandsetContentListReply = TypedDict("HandsetContentListReply", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
HandsetContentLocation = TypedDict("HandsetContentLocation", {
    "latitude": float,
    "longitude": float,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
HandsetContentContactsName = TypedDict("HandsetContentContactsName", {
    "formatted_name": str,
    "first_name": NotRequired[str],
    "last_name": NotRequired[str],
})
HandsetContentContactsPhones = TypedDict("HandsetContentContactsPhones", {
    "phone": str,
    "type": NotRequired[str],
    "wa_id": NotRequired[str],
})
HandsetContentContactsEmails = TypedDict("HandsetContentContactsEmails", {
    "email": str,
    "type": NotRequired[str],
})
HandsetContentContacts = TypedDict("HandsetContentContacts", {
    "name": "HandsetContentContactsName",
    "phones": NotRequired[list["HandsetContentContactsPhones"]],
    "emails": NotRequired[list["HandsetContentContactsEmails"]],
})
HandsetContent = TypedDict("HandsetContent", {
    "reply_to": NotRequired[str],
    "button_reply": NotRequired["HandsetContentButtonReply"],
    "list_reply": NotRequired["HandsetContentListReply"],
    "location": NotRequired["HandsetContentLocation"],
    "contacts": NotRequired[list["HandsetContentContacts"]],
    "reaction": NotRequired[str],
})

Hook = TypedDict("Hook", {
    "name": str,
    "kind": Literal["supabase", "logto", "authentik", "zitadel", "kratos", "keycloak", "fusionauth", "listmonk", "novu"],
    "created_datetime": str,
})

HookWithSecretAnswer = TypedDict("HookWithSecretAnswer", {
    "name": str,
    "kind": Literal["supabase", "logto", "authentik", "zitadel", "kratos", "keycloak", "fusionauth", "listmonk", "novu"],
    "created_datetime": str,
    "secret": str,
    "meta": "RequestMeta",
})

HooksAnswer = TypedDict("HooksAnswer", {
    "hooks": list["Hook"],
    "meta": "RequestMeta",
})

HooksCreateBody = TypedDict("HooksCreateBody", {
    "kind": Literal["supabase", "logto", "authentik", "zitadel", "kratos", "keycloak", "fusionauth", "listmonk", "novu"],
    "secret": NotRequired[str],
})

ImportColumns = TypedDict("ImportColumns", {
    "header": str,
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "type": NotRequired[Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"]],
    "is_new": bool,
    "format": NotRequired[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]],
    "formats": NotRequired[list[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]]],
    "detected": NotRequired[Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"]],
    "options": NotRequired[list[str]],
    "samples": NotRequired[list[str]],
})
Import = TypedDict("Import", {
    "id": str,
    "status": Literal["uploading", "queued", "running", "done", "failed", "canceled"],
    "dry_run": bool,
    "columns": list["ImportColumns"],
    "upsert_by": NotRequired[str],
    "progress": float,
    "lines": int,
    "created": int,
    "updated": int,
    "rejected": int,
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

ImportWithFaultsColumns = TypedDict("ImportWithFaultsColumns", {
    "header": str,
    "column_id": NotRequired[str],
    "name": NotRequired[str],
    "type": NotRequired[Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"]],
    "is_new": bool,
    "format": NotRequired[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]],
    "formats": NotRequired[list[Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"]]],
    "detected": NotRequired[Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"]],
    "options": NotRequired[list[str]],
    "samples": NotRequired[list[str]],
})
ImportWithFaultsFaults = TypedDict("ImportWithFaultsFaults", {
    "line": int,
    "field": str,
    "value": NotRequired[str],
    "message": str,
    "type": str,
})
ImportWithFaults = TypedDict("ImportWithFaults", {
    "id": str,
    "status": Literal["uploading", "queued", "running", "done", "failed", "canceled"],
    "dry_run": bool,
    "columns": list["ImportWithFaultsColumns"],
    "upsert_by": NotRequired[str],
    "progress": float,
    "lines": int,
    "created": int,
    "updated": int,
    "rejected": int,
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "faults": list["ImportWithFaultsFaults"],
})

InboundAnswer = TypedDict("InboundAnswer", {
    "id": str,
    "from": str,
    "to": str,
    "channel": Literal["sms", "whatsapp"],
    "text": str,
    "whatsapp": NotRequired["ReceivedContent"],
    "keyword": NotRequired[Literal["stop", "start", "help"]],
    "media": NotRequired["ReceivedMedia"],
    "created_datetime": str,
    "meta": "RequestMeta",
})

InboundMessage = TypedDict("InboundMessage", {
    "id": str,
    "from": str,
    "to": str,
    "channel": Literal["sms", "whatsapp"],
    "text": str,
    "whatsapp": NotRequired["ReceivedContent"],
    "keyword": NotRequired[Literal["stop", "start", "help"]],
    "media": NotRequired["ReceivedMedia"],
    "created_datetime": str,
})

InboundPage = TypedDict("InboundPage", {
    "inbound": list["InboundMessage"],
    "meta": "ListMeta",
})

LedgerEntryCampaign = TypedDict("LedgerEntryCampaign", {
    "id": str,
    "name": str,
    "messages": int,
    "charge": float,
    "refunded": float,
})
LedgerEntry = TypedDict("LedgerEntry", {
    "id": str,
    "kind": Literal["opening", "top_up", "adjustment", "message", "otp", "airtime", "lookup", "refund"],
    "amount": float,
    "balance_after": float,
    "subject_id": str,
    "subjects": NotRequired[int],
    "subject_ids": NotRequired[list[str]],
    "recipient": NotRequired[str],
    "note": NotRequired[str],
    "created_datetime": str,
    "campaign": NotRequired["LedgerEntryCampaign"],
})

LinkClick = TypedDict("LinkClick", {
    "id": str,
    "recipient": str,
    "status": Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"],
    "channel": Literal["sms", "whatsapp"],
    "sender_id": NotRequired[str],
    "external_ref": NotRequired[str],
    "url": str,
    "clicked_datetime": str,
})

ListMeta = TypedDict("ListMeta", {
    "method": str,
    "resource": str,
    "pagination": "Pagination",
})

ListSend = TypedDict("ListSend", {
    "id": str,
    "smartlist_id": str,
    "status": Literal["queued", "running", "done", "failed", "canceled"],
    "sender_id": NotRequired[str],
    "channel": Literal["sms", "whatsapp"],
    "content": str,
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "rows": int,
    "accepted": int,
    "duplicates": int,
    "without_number": int,
    "incomplete": int,
    "refused": int,
    "charge": float,
    "fault": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

ListedCallback = TypedDict("ListedCallback", {
    "id": str,
    "event_id": str,
    "webhook_id": NotRequired[str],
    "type": str,
    "url": str,
    "status": Literal["pending", "delivered", "stopped", "failed"],
    "attempts": int,
    "subject_id": str,
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "next_attempt_datetime": NotRequired[str],
})

ListedConversationAssignee = TypedDict("ListedConversationAssignee", {
    "id": str,
    "name": str,
})
ListedConversation = TypedDict("ListedConversation", {
    "id": str,
    "phone": str,
    "direction": Literal["in", "out"],
    "channel": Literal["sms", "whatsapp"],
    "text": NotRequired[str],
    "received": int,
    "unread": int,
    "status": Literal["open", "closed"],
    "assignee": NotRequired["ListedConversationAssignee"],
    "contact": NotRequired["Contact"],
    "created_datetime": str,
})

ListedMessagePersonalisation = TypedDict("ListedMessagePersonalisation", {
    "to": str,
    "substitutions": dict[str, str],
})
ListedMessage = TypedDict("ListedMessage", {
    "id": str,
    "recipients": list[str],
    "sender_id": NotRequired[str],
    "channel": Literal["sms", "whatsapp"],
    "is_trackable": bool,
    "content": NotRequired[str],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "personalisation": NotRequired[list["ListedMessagePersonalisation"]],
    "send_at": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

ListedPurchaseMetaCharge = TypedDict("ListedPurchaseMetaCharge", {
    "amount": float,
    "commission": NotRequired[float],
    "available_balance": float,
    "balance_before": float,
    "refunded": bool,
})
ListedPurchaseMeta = TypedDict("ListedPurchaseMeta", {
    "charge": "ListedPurchaseMetaCharge",
    "warnings": NotRequired[list[str]],
})
ListedPurchase = TypedDict("ListedPurchase", {
    "id": str,
    "recipient": str,
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "status": Literal["pending", "sent", "failed", "error", "success", "duplicate"],
    "created_datetime": str,
    "network": Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"],
    "description": NotRequired[str],
    "updated_datetime": NotRequired[str],
    "meta": "ListedPurchaseMeta",
})

LoggedRequest = TypedDict("LoggedRequest", {
    "request_id": str,
    "method": str,
    "path": str,
    "status": int,
    "duration_ms": float,
    "key": NotRequired[str],
    "key_id": NotRequired[str],
    "key_name": NotRequired[str],
    "created_datetime": str,
    "shown": NotRequired[int],
    "seen": NotRequired[int],
})

LookupAnswerMetaCharge = TypedDict("LookupAnswerMetaCharge", {
    "amount": float,
    "available_balance": float,
    "balance_before": float,
})
LookupAnswerMeta = TypedDict("LookupAnswerMeta", {
    "method": str,
    "resource": str,
    "source": Literal["provider", "cache", "carrier", "registry", "prefix", "none"],
    "age_s": NotRequired[int],
    "charge": NotRequired["LookupAnswerMetaCharge"],
})
LookupAnswer = TypedDict("LookupAnswer", {
    "msisdn": str,
    "operator": str,
    "country": str,
    "ported": bool,
    "dnd": bool,
    "meta": "LookupAnswerMeta",
})

LookupPhoneBody = TypedDict("LookupPhoneBody", {
    "phone": str,
})

LookupPhonesBody = TypedDict("LookupPhonesBody", {
    "phones": Union[str, list[str]],
    "skip_invalid": NotRequired[bool],
})

LookupsAnswerMetaCharge = TypedDict("LookupsAnswerMetaCharge", {
    "amount": float,
    "available_balance": float,
    "balance_before": float,
})
LookupsAnswerMeta = TypedDict("LookupsAnswerMeta", {
    "method": str,
    "resource": str,
    "charge": NotRequired["LookupsAnswerMetaCharge"],
})
LookupsAnswer = TypedDict("LookupsAnswer", {
    "phones": list["FoundPhone"],
    "invalid": NotRequired[list[str]],
    "meta": "LookupsAnswerMeta",
})

Media = TypedDict("Media", {
    "id": str,
    "direction": Literal["in", "out"],
    "type": str,
    "kind": NotRequired[Literal["image", "video", "audio", "document", "sticker"]],
    "filename": NotRequired[str],
    "size": NotRequired[int],
    "sha256": NotRequired[str],
    "state": Literal["pending", "stored", "refused", "expired"],
    "reason": NotRequired[str],
    "created_datetime": str,
    "expires_datetime": NotRequired[str],
})

MediaPage = TypedDict("MediaPage", {
    "media": list["Media"],
    "meta": "ListMeta",
})

MessageCostCampaign = TypedDict("MessageCostCampaign", {
    "id": str,
    "name": str,
    "messages": NotRequired[int],
})
MessageCost = TypedDict("MessageCost", {
    "id": str,
    "channel": str,
    "external_ref": NotRequired[str],
    "recipients": list[str],
    "recipients_total": int,
    "charge": float,
    "refunded": float,
    "net": float,
    "created_datetime": str,
    "campaign": NotRequired["MessageCostCampaign"],
})

MessageCostPage = TypedDict("MessageCostPage", {
    "messages": list["MessageCost"],
    "meta": "ScrollMeta",
})

MessageWithDeliveriesPersonalisation = TypedDict("MessageWithDeliveriesPersonalisation", {
    "to": str,
    "substitutions": dict[str, str],
})
MessageWithDeliveriesMeta = TypedDict("MessageWithDeliveriesMeta", {
    "method": str,
    "resource": str,
})
MessageWithDeliveries = TypedDict("MessageWithDeliveries", {
    "id": str,
    "recipients": list[str],
    "sender_id": NotRequired[str],
    "channel": Literal["sms", "whatsapp"],
    "is_trackable": bool,
    "content": NotRequired[str],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "personalisation": NotRequired[list["MessageWithDeliveriesPersonalisation"]],
    "send_at": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "deliveries": list["Delivery"],
    "meta": "MessageWithDeliveriesMeta",
})

MetaTemplate = TypedDict("MetaTemplate", {
    "id": str,
    "name": str,
    "language": str,
    "category": str,
    "previous_category": NotRequired[str],
    "status": str,
    "reason": NotRequired[str],
    "quality": NotRequired[str],
    "components": list[dict[str, Any]],
    "is_own": bool,
    "updated_datetime": str,
})

MetaTemplates = TypedDict("MetaTemplates", {
    "templates": list["MetaTemplate"],
})

Optout = TypedDict("Optout", {
    "id": str,
    "recipient": str,
    "source": Literal["text", "api", "carrier"],
    "created_datetime": str,
})

OptoutPage = TypedDict("OptoutPage", {
    "optouts": list["Optout"],
    "meta": "ListMeta",
})

OptoutsAnswer = TypedDict("OptoutsAnswer", {
    "optouts": list["Optout"],
    "meta": "RequestMeta",
})

OptoutsCreateBody = TypedDict("OptoutsCreateBody", {
    "recipients": Union[str, list[str]],
})

OrganisationSettingsAnswer = TypedDict("OrganisationSettingsAnswer", {
    "name": str,
    "default_country": str,
    "default_sender_id": NotRequired[str],
    "currency": str,
    "smart_encoding": bool,
    "inbound_url": NotRequired[str],
    "quiet_from": NotRequired[str],
    "quiet_until": NotRequired[str],
    "whatsapp_fallback": bool,
    "low_balance": NotRequired[float],
    "time_zone": str,
    "confirm_above": int,
    "meta": "RequestMeta",
})

OtpFigures = TypedDict("OtpFigures", {
    "requested": int,
    "verified": int,
    "failed": int,
    "unverified": int,
    "conversion": NotRequired[float],
})

OtpRecord = TypedDict("OtpRecord", {
    "id": str,
    "recipient": str,
    "status": Literal[1, 2, 3, 4, 5],
    "status_desc": Literal["SENT", "EXPIRED", "FAILED", "VERIFIED", "DELETED"],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

OtpRequestBody = TypedDict("OtpRequestBody", {
    "recipient": str,
    "length": NotRequired[int],
    "expires_in": NotRequired[int],
    "token": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
})

OtpSettingsAnswerTestNumbers = TypedDict("OtpSettingsAnswerTestNumbers", {
    "recipient": str,
})
OtpSettingsAnswer = TypedDict("OtpSettingsAnswer", {
    "template": str,
    "origin": NotRequired[str],
    "fallback_channel": NotRequired[Literal["sms", "whatsapp"]],
    "fallback_after_s": NotRequired[int],
    "resend_after_s": NotRequired[int],
    "resend_when_late": bool,
    "resend_times": int,
    "test_numbers": list["OtpSettingsAnswerTestNumbers"],
    "updated_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

OtpSettingsUpdateBodyTestNumbers = TypedDict("OtpSettingsUpdateBodyTestNumbers", {
    "recipient": str,
    "token": str,
})
OtpSettingsUpdateBody = TypedDict("OtpSettingsUpdateBody", {
    "template": NotRequired[Union[str, None]],
    "origin": NotRequired[Union[str, None]],
    "fallback_channel": NotRequired[Union[Literal["sms", "whatsapp"], None]],
    "fallback_after_s": NotRequired[Union[int, None]],
    "resend_after_s": NotRequired[Union[int, None]],
    "resend_when_late": NotRequired[Union[bool, None]],
    "resend_times": NotRequired[Union[int, None]],
    "test_numbers": NotRequired[list["OtpSettingsUpdateBodyTestNumbers"]],
})

OtpVerifyBody = TypedDict("OtpVerifyBody", {
    "id": str,
    "token": str,
})

Pagination = TypedDict("Pagination", {
    "next_page": Literal["True", "False"],
    "prev_page": Literal["True", "False"],
    "per_page": int,
    "count_total": int,
    "page_total": int,
    "page": int,
    "query_id": str,
})

PeopleExportBody = TypedDict("PeopleExportBody", {
    "phone": str,
})

PersonExportParts = TypedDict("PersonExportParts", {
    "table": str,
    "what": str,
    "entries": list[dict[str, Any]],
})
PersonExport = TypedDict("PersonExport", {
    "about": str,
    "phone": str,
    "written_datetime": str,
    "parts": list["PersonExportParts"],
})

PurchasePage = TypedDict("PurchasePage", {
    "purchases": list["ListedPurchase"],
    "meta": "ListMeta",
})

PurchaseReport = TypedDict("PurchaseReport", {
    "id": str,
    "recipient": str,
    "network": Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"],
    "amount": float,
    "status": Literal["pending", "sent", "failed", "error", "success", "duplicate"],
    "external_ref": NotRequired[str],
    "refunded": bool,
})

ReadPurchaseMetaCharge = TypedDict("ReadPurchaseMetaCharge", {
    "amount": float,
    "commission": NotRequired[float],
    "available_balance": float,
    "balance_before": float,
    "refunded": bool,
})
ReadPurchaseMeta = TypedDict("ReadPurchaseMeta", {
    "method": str,
    "resource": str,
    "charge": "ReadPurchaseMetaCharge",
    "warnings": NotRequired[list[str]],
})
ReadPurchase = TypedDict("ReadPurchase", {
    "id": str,
    "recipient": str,
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "status": Literal["pending", "sent", "failed", "error", "success", "duplicate"],
    "created_datetime": str,
    "network": Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"],
    "description": NotRequired[str],
    "updated_datetime": NotRequired[str],
    "meta": "ReadPurchaseMeta",
})

ReadReceipt = TypedDict("ReadReceipt", {
    "id": str,
    "recipient": str,
    "status": Literal["scheduled", "queued", "sent", "delivered", "undelivered", "expired", "rejected", "failed", "unknown", "canceled"],
    "channel": Literal["sms", "whatsapp"],
    "sender_id": NotRequired[str],
    "external_ref": NotRequired[str],
    "price_category": NotRequired[str],
    "read_datetime": str,
})

ReceivedContentButtonReply = TypedDict("ReceivedContentButtonReply", {
    "id": str,
    "title": str,
})
ReceivedContentListReply = TypedDict("ReceivedContentListReply", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
ReceivedContentLocation = TypedDict("ReceivedContentLocation", {
    "latitude": float,
    "longitude": float,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
ReceivedContentContactsName = TypedDict("ReceivedContentContactsName", {
    "formatted_name": str,
    "first_name": NotRequired[str],
    "last_name": NotRequired[str],
})
ReceivedContentContactsPhones = TypedDict("ReceivedContentContactsPhones", {
    "phone": str,
    "type": NotRequired[str],
    "wa_id": NotRequired[str],
})
ReceivedContentContactsEmails = TypedDict("ReceivedContentContactsEmails", {
    "email": str,
    "type": NotRequired[str],
})
ReceivedContentContacts = TypedDict("ReceivedContentContacts", {
    "name": "ReceivedContentContactsName",
    "phones": NotRequired[list["ReceivedContentContactsPhones"]],
    "emails": NotRequired[list["ReceivedContentContactsEmails"]],
})
ReceivedContent = TypedDict("ReceivedContent", {
    "type": Literal["text", "button_reply", "list_reply", "image", "video", "audio", "document", "sticker", "location", "contacts", "reaction", "order", "unsupported"],
    "reply_to": NotRequired[str],
    "button_reply": NotRequired["ReceivedContentButtonReply"],
    "list_reply": NotRequired["ReceivedContentListReply"],
    "location": NotRequired["ReceivedContentLocation"],
    "contacts": NotRequired[list["ReceivedContentContacts"]],
    "reaction": NotRequired[str],
})

ReceivedMedia = TypedDict("ReceivedMedia", {
    "id": str,
    "type": str,
    "filename": NotRequired[str],
    "size": NotRequired[int],
    "state": Literal["pending", "stored", "refused", "expired"],
})

RegisteredSender = TypedDict("RegisteredSender", {
    "id": str,
    "sender_id": str,
    "state": Literal["pending", "approved", "rejected"],
    "class": Literal["transactional", "promotional"],
    "note": NotRequired[str],
    "reason": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

RequestAnswer = TypedDict("RequestAnswer", {
    "request_id": str,
    "method": str,
    "path": str,
    "status": int,
    "duration_ms": float,
    "key": NotRequired[str],
    "key_id": NotRequired[str],
    "key_name": NotRequired[str],
    "created_datetime": str,
    "shown": NotRequired[int],
    "seen": NotRequired[int],
    "body": NotRequired[str],
    "answer": NotRequired[str],
    "left_out": bool,
    "meta": "RequestMeta",
})

RequestMeta = TypedDict("RequestMeta", {
    "method": str,
    "resource": str,
})

RequestPage = TypedDict("RequestPage", {
    "requests": list["LoggedRequest"],
    "kept_days": int,
    "meta": "ScrollMeta",
})

RowAnswer = TypedDict("RowAnswer", {
    "row": "ContactRow",
    "table": "ContactTable",
})

RowBody = TypedDict("RowBody", {
    "columns": dict[str, Any],
})

RowsAnswerMetaPagination = TypedDict("RowsAnswerMetaPagination", {
    "next_page": Literal["True", "False"],
    "prev_page": Literal["True", "False"],
    "per_page": int,
    "count_total": int,
    "page_total": int,
    "page": int,
    "query_id": str,
})
RowsAnswerMeta = TypedDict("RowsAnswerMeta", {
    "method": str,
    "resource": str,
    "pagination": "RowsAnswerMetaPagination",
})
RowsAnswer = TypedDict("RowsAnswer", {
    "rows": list["ContactRow"],
    "table": "ContactTable",
    "smartlist": Union["Smartlist", None],
    "meta": "RowsAnswerMeta",
})

SandboxMessage = TypedDict("SandboxMessage", {
    "id": str,
    "message_id": str,
    "recipient": str,
    "sender_id": NotRequired[str],
    "channel": Literal["sms", "whatsapp"],
    "text": str,
    "whatsapp": NotRequired["SentContent"],
    "created_datetime": str,
})

SandboxPage = TypedDict("SandboxPage", {
    "messages": list["SandboxMessage"],
    "meta": "ListMeta",
})

SandboxReplyBody = TypedDict("SandboxReplyBody", {
    "from": str,
    "to": str,
    "text": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "whatsapp": NotRequired["HandsetContent"],
    "media_id": NotRequired[str],
})

Scroll = TypedDict("Scroll", {
    "next_page": Literal["True", "False"],
    "per_page": int,
    "query_id": NotRequired[str],
})

ScrollMeta = TypedDict("ScrollMeta", {
    "method": str,
    "resource": str,
    "pagination": "Scroll",
    "searched_until": NotRequired[str],
})

SenderAnswer = TypedDict("SenderAnswer", {
    "id": str,
    "sender_id": str,
    "state": Literal["pending", "approved", "rejected"],
    "class": Literal["transactional", "promotional"],
    "note": NotRequired[str],
    "reason": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

SenderPage = TypedDict("SenderPage", {
    "senders": list["RegisteredSender"],
    "meta": "ListMeta",
})

SendersCreateBody = TypedDict("SendersCreateBody", {
    "sender_id": str,
    "class": NotRequired[Literal["transactional", "promotional"]],
    "note": NotRequired[str],
})

SendersUpdateBody = TypedDict("SendersUpdateBody", {
    "sender_id": NotRequired[str],
    "class": NotRequired[Literal["transactional", "promotional"]],
    "note": NotRequired[Union[str, None]],
})

SentContentImage = TypedDict("SentContentImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentVideo = TypedDict("SentContentVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentAudio = TypedDict("SentContentAudio", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentDocument = TypedDict("SentContentDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
SentContentSticker = TypedDict("SentContentSticker", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentHeaderImage = TypedDict("SentContentHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentHeaderVideo = TypedDict("SentContentHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentHeaderDocument = TypedDict("SentContentHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
SentContentHeader = TypedDict("SentContentHeader", {
    "text": NotRequired[str],
    "image": NotRequired["SentContentHeaderImage"],
    "video": NotRequired["SentContentHeaderVideo"],
    "document": NotRequired["SentContentHeaderDocument"],
})
SentContentReplyButtons = TypedDict("SentContentReplyButtons", {
    "id": str,
    "title": str,
})
SentContentListSectionsRows = TypedDict("SentContentListSectionsRows", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
SentContentListSections = TypedDict("SentContentListSections", {
    "title": NotRequired[str],
    "rows": list["SentContentListSectionsRows"],
})
SentContentList = TypedDict("SentContentList", {
    "button": str,
    "sections": list["SentContentListSections"],
})
SentContentUrlButton = TypedDict("SentContentUrlButton", {
    "title": str,
    "url": str,
})
SentContentLocation = TypedDict("SentContentLocation", {
    "latitude": float,
    "longitude": float,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
SentContentContactsName = TypedDict("SentContentContactsName", {
    "formatted_name": str,
    "first_name": NotRequired[str],
    "last_name": NotRequired[str],
})
SentContentContactsPhones = TypedDict("SentContentContactsPhones", {
    "phone": str,
    "type": NotRequired[str],
    "wa_id": NotRequired[str],
})
SentContentContactsEmails = TypedDict("SentContentContactsEmails", {
    "email": str,
    "type": NotRequired[str],
})
SentContentContacts = TypedDict("SentContentContacts", {
    "name": "SentContentContactsName",
    "phones": NotRequired[list["SentContentContactsPhones"]],
    "emails": NotRequired[list["SentContentContactsEmails"]],
})
SentContentTemplate = TypedDict("SentContentTemplate", {
    "name": str,
    "language": str,
})
SentContentButtons = TypedDict("SentContentButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
SentContentCardsHeaderImage = TypedDict("SentContentCardsHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentCardsHeaderVideo = TypedDict("SentContentCardsHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
SentContentCardsHeaderDocument = TypedDict("SentContentCardsHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
SentContentCardsHeader = TypedDict("SentContentCardsHeader", {
    "text": NotRequired[str],
    "image": NotRequired["SentContentCardsHeaderImage"],
    "video": NotRequired["SentContentCardsHeaderVideo"],
    "document": NotRequired["SentContentCardsHeaderDocument"],
})
SentContentCardsButtons = TypedDict("SentContentCardsButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
SentContentCards = TypedDict("SentContentCards", {
    "header": NotRequired["SentContentCardsHeader"],
    "texts": NotRequired[list[str]],
    "buttons": NotRequired[list["SentContentCardsButtons"]],
})
SentContent = TypedDict("SentContent", {
    "reply_to": NotRequired[str],
    "image": NotRequired["SentContentImage"],
    "video": NotRequired["SentContentVideo"],
    "audio": NotRequired["SentContentAudio"],
    "document": NotRequired["SentContentDocument"],
    "sticker": NotRequired["SentContentSticker"],
    "header": NotRequired["SentContentHeader"],
    "footer": NotRequired[str],
    "reply_buttons": NotRequired[list["SentContentReplyButtons"]],
    "list": NotRequired["SentContentList"],
    "url_button": NotRequired["SentContentUrlButton"],
    "location": NotRequired["SentContentLocation"],
    "contacts": NotRequired[list["SentContentContacts"]],
    "reaction": NotRequired[str],
    "template": NotRequired["SentContentTemplate"],
    "buttons": NotRequired[list["SentContentButtons"]],
    "cards": NotRequired[list["SentContentCards"]],
})

SentMessagePersonalisation = TypedDict("SentMessagePersonalisation", {
    "to": str,
    "substitutions": dict[str, str],
})
SentMessageMeta = TypedDict("SentMessageMeta", {
    "method": str,
    "resource": str,
    "estimate": "Estimate",
})
SentMessage = TypedDict("SentMessage", {
    "id": str,
    "recipients": list[str],
    "sender_id": NotRequired[str],
    "channel": Literal["sms", "whatsapp"],
    "is_trackable": bool,
    "content": NotRequired[str],
    "external_ref": NotRequired[str],
    "callback": NotRequired[str],
    "template_id": NotRequired[str],
    "template_version": NotRequired[int],
    "personalisation": NotRequired[list["SentMessagePersonalisation"]],
    "send_at": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "meta": "SentMessageMeta",
})

SettingsUpdateBody = TypedDict("SettingsUpdateBody", {
    "name": NotRequired[str],
    "default_country": NotRequired[str],
    "default_sender_id": NotRequired[Union[str, None]],
    "smart_encoding": NotRequired[bool],
    "inbound_url": NotRequired[Union[str, None]],
    "quiet_from": NotRequired[Union[str, None]],
    "quiet_until": NotRequired[Union[str, None]],
    "whatsapp_fallback": NotRequired[bool],
    "time_zone": NotRequired[Union[str, None]],
    "confirm_above": NotRequired[Union[int, None]],
    "low_balance": NotRequired[Union[float, None]],
})

SmartlistFilters = TypedDict("SmartlistFilters", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
SmartlistFiltersValueAny = TypedDict("SmartlistFiltersValueAny", {
    "column_id": str,
    "name": str,
    "operator": Literal["equal", "not_equal", "contain", "not_contain", "start_with", "end_with", "empty", "not_empty", "is_any", "is_none_of", "greater", "less", "before", "after"],
    "value": NotRequired[Union[str, list[str]]],
})
SmartlistFiltersValue = TypedDict("SmartlistFiltersValue", {
    "any": list["SmartlistFiltersValueAny"],
})
Smartlist = TypedDict("Smartlist", {
    "id": str,
    "name": str,
    "filters": list[Union["SmartlistFilters", "SmartlistFiltersValue"]],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

SmartlistPage = TypedDict("SmartlistPage", {
    "smartlists": list["Smartlist"],
    "meta": "ListMeta",
})

SmppAccount = TypedDict("SmppAccount", {
    "system_id": str,
    "allow_networks": list[str],
    "max_binds": int,
    "rate_per_s": int,
    "window_size": int,
    "alphabet": Literal["gsm7", "latin1", "ascii", "gsm7-packed"],
    "receives_texts": bool,
    "binds": int,
    "waiting": int,
    "created_datetime": str,
})

SmppAccountWithPasswordAnswer = TypedDict("SmppAccountWithPasswordAnswer", {
    "system_id": str,
    "allow_networks": list[str],
    "max_binds": int,
    "rate_per_s": int,
    "window_size": int,
    "alphabet": Literal["gsm7", "latin1", "ascii", "gsm7-packed"],
    "receives_texts": bool,
    "binds": int,
    "waiting": int,
    "created_datetime": str,
    "password": str,
    "meta": "RequestMeta",
})

SmppAccountsAnswer = TypedDict("SmppAccountsAnswer", {
    "accounts": list["SmppAccount"],
    "meta": "RequestMeta",
})

SmppAccountsCreateBody = TypedDict("SmppAccountsCreateBody", {
    "system_id": NotRequired[str],
    "password": NotRequired[str],
    "allow_networks": NotRequired[list[str]],
    "max_binds": NotRequired[int],
    "rate_per_s": NotRequired[int],
    "window_size": NotRequired[int],
    "alphabet": NotRequired[Literal["gsm7", "latin1", "ascii", "gsm7-packed"]],
    "receives_texts": NotRequired[bool],
})

SmsEstimateBodyPersonalisation = TypedDict("SmsEstimateBodyPersonalisation", {
    "to": str,
    "substitutions": dict[str, str],
})
SmsEstimateBody = TypedDict("SmsEstimateBody", {
    "recipients": Union[str, list[str]],
    "sender_id": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "personalisation": NotRequired[list["SmsEstimateBodyPersonalisation"]],
    "whatsapp": NotRequired["WhatsappContent"],
    "external_ref": NotRequired[str],
    "is_trackable": NotRequired[bool],
    "smart_encoding": NotRequired[bool],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
    "explain": NotRequired[bool],
})

SmsListAnswer = TypedDict("SmsListAnswer", {
    "messages": list["ListedMessage"],
    "meta": "ListMeta",
})

SmsSendBodyPersonalisation = TypedDict("SmsSendBodyPersonalisation", {
    "to": str,
    "substitutions": dict[str, str],
})
SmsSendBody = TypedDict("SmsSendBody", {
    "recipients": Union[str, list[str]],
    "sender_id": NotRequired[str],
    "channel": NotRequired[Literal["sms", "whatsapp"]],
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "personalisation": NotRequired[list["SmsSendBodyPersonalisation"]],
    "whatsapp": NotRequired["WhatsappContent"],
    "external_ref": NotRequired[str],
    "is_trackable": NotRequired[bool],
    "smart_encoding": NotRequired[bool],
    "route_class": NotRequired[Literal["transactional", "promotional"]],
    "callback": NotRequired[str],
    "send_at": NotRequired[str],
})

TemplatePlaceholders = TypedDict("TemplatePlaceholders", {
    "name": str,
    "default": NotRequired[str],
})
Template = TypedDict("Template", {
    "id": str,
    "version": int,
    "name": str,
    "content": str,
    "placeholders": list["TemplatePlaceholders"],
    "whatsapp": NotRequired["WhatsappTemplate"],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

TemplatePage = TypedDict("TemplatePage", {
    "templates": list["Template"],
    "meta": "ListMeta",
})

TemplatesCreateBody = TypedDict("TemplatesCreateBody", {
    "name": str,
    "content": str,
    "whatsapp": NotRequired["WhatsappTemplate"],
})

TemplatesUpdateBodyWhatsappHeaderImage = TypedDict("TemplatesUpdateBodyWhatsappHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
TemplatesUpdateBodyWhatsappHeaderVideo = TypedDict("TemplatesUpdateBodyWhatsappHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
TemplatesUpdateBodyWhatsappHeaderDocument = TypedDict("TemplatesUpdateBodyWhatsappHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
TemplatesUpdateBodyWhatsappHeaderLocation = TypedDict("TemplatesUpdateBodyWhatsappHeaderLocation", {
    "latitude": str,
    "longitude": str,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
TemplatesUpdateBodyWhatsappHeader = TypedDict("TemplatesUpdateBodyWhatsappHeader", {
    "text": NotRequired[str],
    "image": NotRequired["TemplatesUpdateBodyWhatsappHeaderImage"],
    "video": NotRequired["TemplatesUpdateBodyWhatsappHeaderVideo"],
    "document": NotRequired["TemplatesUpdateBodyWhatsappHeaderDocument"],
    "location": NotRequired["TemplatesUpdateBodyWhatsappHeaderLocation"],
})
TemplatesUpdateBodyWhatsappButtons = TypedDict("TemplatesUpdateBodyWhatsappButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCardsHeaderImage = TypedDict("TemplatesUpdateBodyWhatsappCardsHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCardsHeaderVideo = TypedDict("TemplatesUpdateBodyWhatsappCardsHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCardsHeaderDocument = TypedDict("TemplatesUpdateBodyWhatsappCardsHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCardsHeaderLocation = TypedDict("TemplatesUpdateBodyWhatsappCardsHeaderLocation", {
    "latitude": str,
    "longitude": str,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCardsHeader = TypedDict("TemplatesUpdateBodyWhatsappCardsHeader", {
    "text": NotRequired[str],
    "image": NotRequired["TemplatesUpdateBodyWhatsappCardsHeaderImage"],
    "video": NotRequired["TemplatesUpdateBodyWhatsappCardsHeaderVideo"],
    "document": NotRequired["TemplatesUpdateBodyWhatsappCardsHeaderDocument"],
    "location": NotRequired["TemplatesUpdateBodyWhatsappCardsHeaderLocation"],
})
TemplatesUpdateBodyWhatsappCardsButtons = TypedDict("TemplatesUpdateBodyWhatsappCardsButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
TemplatesUpdateBodyWhatsappCards = TypedDict("TemplatesUpdateBodyWhatsappCards", {
    "header": NotRequired["TemplatesUpdateBodyWhatsappCardsHeader"],
    "texts": NotRequired[list[str]],
    "buttons": NotRequired[list["TemplatesUpdateBodyWhatsappCardsButtons"]],
})
TemplatesUpdateBodyWhatsapp = TypedDict("TemplatesUpdateBodyWhatsapp", {
    "name": str,
    "language": str,
    "fallback_languages": NotRequired[list[str]],
    "parameters": list[str],
    "parameter_names": NotRequired[list[str]],
    "header": NotRequired["TemplatesUpdateBodyWhatsappHeader"],
    "buttons": NotRequired[list["TemplatesUpdateBodyWhatsappButtons"]],
    "cards": NotRequired[list["TemplatesUpdateBodyWhatsappCards"]],
})
TemplatesUpdateBody = TypedDict("TemplatesUpdateBody", {
    "name": NotRequired[str],
    "content": NotRequired[str],
    "whatsapp": NotRequired[Union["TemplatesUpdateBodyWhatsapp", None]],
})

TextBody = TypedDict("TextBody", {
    "content": NotRequired[str],
    "template_id": NotRequired[str],
    "share": NotRequired[int],
})

TextClickedEvent = TypedDict("TextClickedEvent", {
    "id": str,
    "type": Literal["text.clicked"],
    "created_datetime": str,
    "data": "LinkClick",
})

TextDeliveredEvent = TypedDict("TextDeliveredEvent", {
    "id": str,
    "type": Literal["text.delivered"],
    "created_datetime": str,
    "data": "DeliveryReport",
})

TextExpiredEvent = TypedDict("TextExpiredEvent", {
    "id": str,
    "type": Literal["text.expired"],
    "created_datetime": str,
    "data": "DeliveryReport",
})

TextFailedEvent = TypedDict("TextFailedEvent", {
    "id": str,
    "type": Literal["text.failed"],
    "created_datetime": str,
    "data": "DeliveryReport",
})

TextReadEvent = TypedDict("TextReadEvent", {
    "id": str,
    "type": Literal["text.read"],
    "created_datetime": str,
    "data": "ReadReceipt",
})

TextReceivedEvent = TypedDict("TextReceivedEvent", {
    "id": str,
    "type": Literal["text.received"],
    "created_datetime": str,
    "data": "InboundMessage",
})

TextRejectedEvent = TypedDict("TextRejectedEvent", {
    "id": str,
    "type": Literal["text.rejected"],
    "created_datetime": str,
    "data": "DeliveryReport",
})

TextUndeliveredEvent = TypedDict("TextUndeliveredEvent", {
    "id": str,
    "type": Literal["text.undelivered"],
    "created_datetime": str,
    "data": "DeliveryReport",
})

Thread = TypedDict("Thread", {
    "conversation": "Conversation",
    "messages": list["ConversationMessage"],
    "meta": "ScrollMeta",
})

Webhook = TypedDict("Webhook", {
    "id": str,
    "url": str,
    "events": list[str],
    "format": NotRequired[Literal["standard", "simpu", "twilio"]],
    "description": NotRequired[str],
    "enabled": bool,
    "disabled_reason": NotRequired[str],
    "failing_since": NotRequired[str],
    "old_secret_until": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
})

WebhookAnswer = TypedDict("WebhookAnswer", {
    "id": str,
    "url": str,
    "events": list[str],
    "format": NotRequired[Literal["standard", "simpu", "twilio"]],
    "description": NotRequired[str],
    "enabled": bool,
    "disabled_reason": NotRequired[str],
    "failing_since": NotRequired[str],
    "old_secret_until": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "meta": "RequestMeta",
})

WebhookPage = TypedDict("WebhookPage", {
    "webhooks": list["Webhook"],
    "meta": "ListMeta",
})

WebhookTestEventData = TypedDict("WebhookTestEventData", {
    "id": str,
    "description": str,
})
WebhookTestEvent = TypedDict("WebhookTestEvent", {
    "id": str,
    "type": Literal["webhook.test"],
    "created_datetime": str,
    "data": "WebhookTestEventData",
})

WebhookWithSecretAnswer = TypedDict("WebhookWithSecretAnswer", {
    "id": str,
    "url": str,
    "events": list[str],
    "format": NotRequired[Literal["standard", "simpu", "twilio"]],
    "description": NotRequired[str],
    "enabled": bool,
    "disabled_reason": NotRequired[str],
    "failing_since": NotRequired[str],
    "old_secret_until": NotRequired[str],
    "created_datetime": str,
    "updated_datetime": NotRequired[str],
    "secret": str,
    "meta": "RequestMeta",
})

WebhooksCreateBody = TypedDict("WebhooksCreateBody", {
    "url": str,
    "events": NotRequired[list[str]],
    "format": NotRequired[Literal["standard", "simpu", "twilio"]],
    "description": NotRequired[str],
    "enabled": NotRequired[bool],
})

WebhooksReplayAnswer = TypedDict("WebhooksReplayAnswer", {
    "replayed": int,
    "complete": bool,
    "meta": "RequestMeta",
})

WebhooksReplayBody = TypedDict("WebhooksReplayBody", {
    "since": str,
    "until": NotRequired[str],
})

WebhooksRotateBody = TypedDict("WebhooksRotateBody", {
    "overlap_hours": NotRequired[int],
})

WebhooksUpdateBody = TypedDict("WebhooksUpdateBody", {
    "url": NotRequired[str],
    "events": NotRequired[list[str]],
    "description": NotRequired[Union[str, None]],
    "enabled": NotRequired[bool],
})

WhatsappContentImage = TypedDict("WhatsappContentImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentVideo = TypedDict("WhatsappContentVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentAudio = TypedDict("WhatsappContentAudio", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentDocument = TypedDict("WhatsappContentDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
WhatsappContentSticker = TypedDict("WhatsappContentSticker", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentHeaderImage = TypedDict("WhatsappContentHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentHeaderVideo = TypedDict("WhatsappContentHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappContentHeaderDocument = TypedDict("WhatsappContentHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
WhatsappContentHeader = TypedDict("WhatsappContentHeader", {
    "text": NotRequired[str],
    "image": NotRequired["WhatsappContentHeaderImage"],
    "video": NotRequired["WhatsappContentHeaderVideo"],
    "document": NotRequired["WhatsappContentHeaderDocument"],
})
WhatsappContentReplyButtons = TypedDict("WhatsappContentReplyButtons", {
    "id": str,
    "title": str,
})
WhatsappContentListSectionsRows = TypedDict("WhatsappContentListSectionsRows", {
    "id": str,
    "title": str,
    "description": NotRequired[str],
})
WhatsappContentListSections = TypedDict("WhatsappContentListSections", {
    "title": NotRequired[str],
    "rows": list["WhatsappContentListSectionsRows"],
})
WhatsappContentList = TypedDict("WhatsappContentList", {
    "button": str,
    "sections": list["WhatsappContentListSections"],
})
WhatsappContentUrlButton = TypedDict("WhatsappContentUrlButton", {
    "title": str,
    "url": str,
})
WhatsappContentLocation = TypedDict("WhatsappContentLocation", {
    "latitude": float,
    "longitude": float,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
WhatsappContentContactsName = TypedDict("WhatsappContentContactsName", {
    "formatted_name": str,
    "first_name": NotRequired[str],
    "last_name": NotRequired[str],
})
WhatsappContentContactsPhones = TypedDict("WhatsappContentContactsPhones", {
    "phone": str,
    "type": NotRequired[str],
    "wa_id": NotRequired[str],
})
WhatsappContentContactsEmails = TypedDict("WhatsappContentContactsEmails", {
    "email": str,
    "type": NotRequired[str],
})
WhatsappContentContacts = TypedDict("WhatsappContentContacts", {
    "name": "WhatsappContentContactsName",
    "phones": NotRequired[list["WhatsappContentContactsPhones"]],
    "emails": NotRequired[list["WhatsappContentContactsEmails"]],
})
WhatsappContent = TypedDict("WhatsappContent", {
    "preview_url": NotRequired[bool],
    "reply_to": NotRequired[str],
    "image": NotRequired["WhatsappContentImage"],
    "video": NotRequired["WhatsappContentVideo"],
    "audio": NotRequired["WhatsappContentAudio"],
    "document": NotRequired["WhatsappContentDocument"],
    "sticker": NotRequired["WhatsappContentSticker"],
    "header": NotRequired["WhatsappContentHeader"],
    "footer": NotRequired[str],
    "reply_buttons": NotRequired[list["WhatsappContentReplyButtons"]],
    "list": NotRequired["WhatsappContentList"],
    "url_button": NotRequired["WhatsappContentUrlButton"],
    "location": NotRequired["WhatsappContentLocation"],
    "contacts": NotRequired[list["WhatsappContentContacts"]],
    "reaction": NotRequired[str],
})

WhatsappTemplateHeaderImage = TypedDict("WhatsappTemplateHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappTemplateHeaderVideo = TypedDict("WhatsappTemplateHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappTemplateHeaderDocument = TypedDict("WhatsappTemplateHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
WhatsappTemplateHeaderLocation = TypedDict("WhatsappTemplateHeaderLocation", {
    "latitude": str,
    "longitude": str,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
WhatsappTemplateHeader = TypedDict("WhatsappTemplateHeader", {
    "text": NotRequired[str],
    "image": NotRequired["WhatsappTemplateHeaderImage"],
    "video": NotRequired["WhatsappTemplateHeaderVideo"],
    "document": NotRequired["WhatsappTemplateHeaderDocument"],
    "location": NotRequired["WhatsappTemplateHeaderLocation"],
})
WhatsappTemplateButtons = TypedDict("WhatsappTemplateButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
WhatsappTemplateCardsHeaderImage = TypedDict("WhatsappTemplateCardsHeaderImage", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappTemplateCardsHeaderVideo = TypedDict("WhatsappTemplateCardsHeaderVideo", {
    "id": NotRequired[str],
    "link": NotRequired[str],
})
WhatsappTemplateCardsHeaderDocument = TypedDict("WhatsappTemplateCardsHeaderDocument", {
    "id": NotRequired[str],
    "link": NotRequired[str],
    "filename": NotRequired[str],
})
WhatsappTemplateCardsHeaderLocation = TypedDict("WhatsappTemplateCardsHeaderLocation", {
    "latitude": str,
    "longitude": str,
    "name": NotRequired[str],
    "address": NotRequired[str],
})
WhatsappTemplateCardsHeader = TypedDict("WhatsappTemplateCardsHeader", {
    "text": NotRequired[str],
    "image": NotRequired["WhatsappTemplateCardsHeaderImage"],
    "video": NotRequired["WhatsappTemplateCardsHeaderVideo"],
    "document": NotRequired["WhatsappTemplateCardsHeaderDocument"],
    "location": NotRequired["WhatsappTemplateCardsHeaderLocation"],
})
WhatsappTemplateCardsButtons = TypedDict("WhatsappTemplateCardsButtons", {
    "index": int,
    "url": NotRequired[str],
    "payload": NotRequired[str],
    "code": NotRequired[str],
})
WhatsappTemplateCards = TypedDict("WhatsappTemplateCards", {
    "header": NotRequired["WhatsappTemplateCardsHeader"],
    "texts": NotRequired[list[str]],
    "buttons": NotRequired[list["WhatsappTemplateCardsButtons"]],
})
WhatsappTemplate = TypedDict("WhatsappTemplate", {
    "name": str,
    "language": str,
    "fallback_languages": NotRequired[list[str]],
    "parameters": list[str],
    "parameter_names": NotRequired[list[str]],
    "header": NotRequired["WhatsappTemplateHeader"],
    "buttons": NotRequired[list["WhatsappTemplateButtons"]],
    "cards": NotRequired[list["WhatsappTemplateCards"]],
})

WhatsappTemplatesCreateBodyComponentsExampleHeaderTextNamedParams = TypedDict("WhatsappTemplatesCreateBodyComponentsExampleHeaderTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesCreateBodyComponentsExampleBodyTextNamedParams = TypedDict("WhatsappTemplatesCreateBodyComponentsExampleBodyTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesCreateBodyComponentsExample = TypedDict("WhatsappTemplatesCreateBodyComponentsExample", {
    "header_text": NotRequired[list[str]],
    "header_text_named_params": NotRequired[list["WhatsappTemplatesCreateBodyComponentsExampleHeaderTextNamedParams"]],
    "header_media_id": NotRequired[str],
    "header_handle": NotRequired[list[str]],
    "body_text": NotRequired[list[list[str]]],
    "body_text_named_params": NotRequired[list["WhatsappTemplatesCreateBodyComponentsExampleBodyTextNamedParams"]],
})
WhatsappTemplatesCreateBodyComponentsButtonsSupportedApps = TypedDict("WhatsappTemplatesCreateBodyComponentsButtonsSupportedApps", {
    "package_name": str,
    "signature_hash": str,
})
WhatsappTemplatesCreateBodyComponentsButtons = TypedDict("WhatsappTemplatesCreateBodyComponentsButtons", {
    "type": str,
    "text": NotRequired[str],
    "url": NotRequired[str],
    "phone_number": NotRequired[str],
    "example": NotRequired[Union[str, list[str]]],
    "otp_type": NotRequired[str],
    "autofill_text": NotRequired[str],
    "zero_tap_terms_accepted": NotRequired[bool],
    "supported_apps": NotRequired[list["WhatsappTemplatesCreateBodyComponentsButtonsSupportedApps"]],
})
WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleHeaderTextNamedParams = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleHeaderTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleBodyTextNamedParams = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleBodyTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesCreateBodyComponentsCardsComponentsExample = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponentsExample", {
    "header_text": NotRequired[list[str]],
    "header_text_named_params": NotRequired[list["WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleHeaderTextNamedParams"]],
    "header_media_id": NotRequired[str],
    "header_handle": NotRequired[list[str]],
    "body_text": NotRequired[list[list[str]]],
    "body_text_named_params": NotRequired[list["WhatsappTemplatesCreateBodyComponentsCardsComponentsExampleBodyTextNamedParams"]],
})
WhatsappTemplatesCreateBodyComponentsCardsComponentsButtonsSupportedApps = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponentsButtonsSupportedApps", {
    "package_name": str,
    "signature_hash": str,
})
WhatsappTemplatesCreateBodyComponentsCardsComponentsButtons = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponentsButtons", {
    "type": str,
    "text": NotRequired[str],
    "url": NotRequired[str],
    "phone_number": NotRequired[str],
    "example": NotRequired[Union[str, list[str]]],
    "otp_type": NotRequired[str],
    "autofill_text": NotRequired[str],
    "zero_tap_terms_accepted": NotRequired[bool],
    "supported_apps": NotRequired[list["WhatsappTemplatesCreateBodyComponentsCardsComponentsButtonsSupportedApps"]],
})
WhatsappTemplatesCreateBodyComponentsCardsComponents = TypedDict("WhatsappTemplatesCreateBodyComponentsCardsComponents", {
    "type": str,
    "format": NotRequired[str],
    "text": NotRequired[str],
    "example": NotRequired["WhatsappTemplatesCreateBodyComponentsCardsComponentsExample"],
    "buttons": NotRequired[list["WhatsappTemplatesCreateBodyComponentsCardsComponentsButtons"]],
    "add_security_recommendation": NotRequired[bool],
    "code_expiration_minutes": NotRequired[int],
})
WhatsappTemplatesCreateBodyComponentsCards = TypedDict("WhatsappTemplatesCreateBodyComponentsCards", {
    "components": list["WhatsappTemplatesCreateBodyComponentsCardsComponents"],
})
WhatsappTemplatesCreateBodyComponents = TypedDict("WhatsappTemplatesCreateBodyComponents", {
    "type": str,
    "format": NotRequired[str],
    "text": NotRequired[str],
    "example": NotRequired["WhatsappTemplatesCreateBodyComponentsExample"],
    "buttons": NotRequired[list["WhatsappTemplatesCreateBodyComponentsButtons"]],
    "add_security_recommendation": NotRequired[bool],
    "code_expiration_minutes": NotRequired[int],
    "cards": NotRequired[list["WhatsappTemplatesCreateBodyComponentsCards"]],
})
WhatsappTemplatesCreateBody = TypedDict("WhatsappTemplatesCreateBody", {
    "name": str,
    "language": str,
    "category": str,
    "parameter_format": NotRequired[str],
    "components": list["WhatsappTemplatesCreateBodyComponents"],
})

WhatsappTemplatesUpdateBodyComponentsExampleHeaderTextNamedParams = TypedDict("WhatsappTemplatesUpdateBodyComponentsExampleHeaderTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesUpdateBodyComponentsExampleBodyTextNamedParams = TypedDict("WhatsappTemplatesUpdateBodyComponentsExampleBodyTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesUpdateBodyComponentsExample = TypedDict("WhatsappTemplatesUpdateBodyComponentsExample", {
    "header_text": NotRequired[list[str]],
    "header_text_named_params": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsExampleHeaderTextNamedParams"]],
    "header_media_id": NotRequired[str],
    "header_handle": NotRequired[list[str]],
    "body_text": NotRequired[list[list[str]]],
    "body_text_named_params": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsExampleBodyTextNamedParams"]],
})
WhatsappTemplatesUpdateBodyComponentsButtonsSupportedApps = TypedDict("WhatsappTemplatesUpdateBodyComponentsButtonsSupportedApps", {
    "package_name": str,
    "signature_hash": str,
})
WhatsappTemplatesUpdateBodyComponentsButtons = TypedDict("WhatsappTemplatesUpdateBodyComponentsButtons", {
    "type": str,
    "text": NotRequired[str],
    "url": NotRequired[str],
    "phone_number": NotRequired[str],
    "example": NotRequired[Union[str, list[str]]],
    "otp_type": NotRequired[str],
    "autofill_text": NotRequired[str],
    "zero_tap_terms_accepted": NotRequired[bool],
    "supported_apps": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsButtonsSupportedApps"]],
})
WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleHeaderTextNamedParams = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleHeaderTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleBodyTextNamedParams = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleBodyTextNamedParams", {
    "param_name": str,
    "example": str,
})
WhatsappTemplatesUpdateBodyComponentsCardsComponentsExample = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponentsExample", {
    "header_text": NotRequired[list[str]],
    "header_text_named_params": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleHeaderTextNamedParams"]],
    "header_media_id": NotRequired[str],
    "header_handle": NotRequired[list[str]],
    "body_text": NotRequired[list[list[str]]],
    "body_text_named_params": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsCardsComponentsExampleBodyTextNamedParams"]],
})
WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtonsSupportedApps = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtonsSupportedApps", {
    "package_name": str,
    "signature_hash": str,
})
WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtons = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtons", {
    "type": str,
    "text": NotRequired[str],
    "url": NotRequired[str],
    "phone_number": NotRequired[str],
    "example": NotRequired[Union[str, list[str]]],
    "otp_type": NotRequired[str],
    "autofill_text": NotRequired[str],
    "zero_tap_terms_accepted": NotRequired[bool],
    "supported_apps": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtonsSupportedApps"]],
})
WhatsappTemplatesUpdateBodyComponentsCardsComponents = TypedDict("WhatsappTemplatesUpdateBodyComponentsCardsComponents", {
    "type": str,
    "format": NotRequired[str],
    "text": NotRequired[str],
    "example": NotRequired["WhatsappTemplatesUpdateBodyComponentsCardsComponentsExample"],
    "buttons": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsCardsComponentsButtons"]],
    "add_security_recommendation": NotRequired[bool],
    "code_expiration_minutes": NotRequired[int],
})
WhatsappTemplatesUpdateBodyComponentsCards = TypedDict("WhatsappTemplatesUpdateBodyComponentsCards", {
    "components": list["WhatsappTemplatesUpdateBodyComponentsCardsComponents"],
})
WhatsappTemplatesUpdateBodyComponents = TypedDict("WhatsappTemplatesUpdateBodyComponents", {
    "type": str,
    "format": NotRequired[str],
    "text": NotRequired[str],
    "example": NotRequired["WhatsappTemplatesUpdateBodyComponentsExample"],
    "buttons": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsButtons"]],
    "add_security_recommendation": NotRequired[bool],
    "code_expiration_minutes": NotRequired[int],
    "cards": NotRequired[list["WhatsappTemplatesUpdateBodyComponentsCards"]],
})
WhatsappTemplatesUpdateBody = TypedDict("WhatsappTemplatesUpdateBody", {
    "category": NotRequired[str],
    "components": list["WhatsappTemplatesUpdateBodyComponents"],
})

Event = Union[TextDeliveredEvent, TextUndeliveredEvent, TextExpiredEvent, TextRejectedEvent, TextFailedEvent, TextClickedEvent, TextReadEvent, TextReceivedEvent, AirtimeSuccessEvent, AirtimeFailedEvent, AirtimeDuplicateEvent, AirtimeErrorEvent, BalanceLowEvent, BalanceExhaustedEvent, BalanceSpending_limitEvent, WebhookTestEvent]
"""The body of a callback or webhook request; `type` says which event it is."""
