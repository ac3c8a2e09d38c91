# Written by `npm run clients` from openapi.json.
from __future__ import annotations

from typing import Any, Iterator, Literal, Mapping, Sequence, Union
from urllib.parse import quote

from . import types
from .call import NOT_GIVEN, Call, NotGiven, each, given

class OtpSettings:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> types.OtpSettingsAnswer:
        """Read how your OTPs are sent. What you have set, and what the configuration says about the rest."""
        return self._call("GET", "/otp/settings")

    def update(self, *, template: str | None | NotGiven = NOT_GIVEN, origin: str | None | NotGiven = NOT_GIVEN, fallback_channel: Literal["sms", "whatsapp"] | None | NotGiven = NOT_GIVEN, fallback_after_s: int | None | NotGiven = NOT_GIVEN, test_numbers: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN) -> types.OtpSettingsAnswer:
        """Change how your OTPs are sent. The text, the domain phones may fill the code in for, the channel to fall back to, and numbers with a fixed token. Fields that are not given stay; null takes the default again. Each channel a token goes out on is charged once."""
        return self._call("PATCH", "/otp/settings", body=given({"template": template, "origin": origin, "fallback_channel": fallback_channel, "fallback_after_s": fallback_after_s, "test_numbers": test_numbers}))


class OtpGuard:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.GuardPage:
        """List guarded prefixes. Number prefixes (a number without its last four digits) whose tokens are requested but hardly ever verified. A slowed prefix lets a request pass now and then, a blocked one none until its time."""
        return self._call("GET", "/otp/guard", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def lift(self, prefix: str) -> None:
        """Lift the guard off a prefix. Its counters start anew."""
        self._call("DELETE", f"/otp/guard/{quote(prefix, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.GuardedPrefix]:
        """All entries of `list`, page after page."""
        return each(self._call, "prefixes", "GET", "/otp/guard", query=given({"limit": limit}))


class ContactsRows:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, columns: Mapping[str, Any]) -> types.RowAnswer:
        """Add a row. With cells for any of the columns. All faults are told at once."""
        return self._call("POST", "/lists/contact/rows", body=given({"columns": columns}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN) -> types.RowsAnswer:
        """List all rows. Newest first, or sorted by a column. `POST /lists/contact/rows/query` filters."""
        return self._call("GET", "/lists/contact/rows", query=given({"limit": limit, "per_page": per_page, "page": page, "query_id": query_id, "sort": sort, "search": search}))

    def bulk(self, *, rows: Sequence[types.RowBody]) -> types.BulkAnswer:
        """Add up to 1,000 rows. All of them, or none when there is any fault; faults name the place of their row."""
        return self._call("POST", "/lists/contact/rows/bulk", body=given({"rows": rows}))

    def get(self, row_id: str) -> types.RowAnswer:
        """Read a row. Under `rows` and under `row`, which is the same."""
        return self._call("GET", f"/lists/contact/rows/{quote(row_id, safe='')}")

    def update(self, row_id: str, *, columns: Mapping[str, Any]) -> types.RowAnswer:
        """Change cells of a row. Cells that are not given stay as they are. Under `rows` and under `row`, which is the same."""
        return self._call("PATCH", f"/lists/contact/rows/{quote(row_id, safe='')}", body=given({"columns": columns}))

    def delete(self, row_id: str) -> None:
        """Delete a row. Under `rows` and under `row`, which is the same."""
        self._call("DELETE", f"/lists/contact/rows/{quote(row_id, safe='')}")

    def query(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> types.RowsAnswer:
        """Query rows. The rows all filters hold for and every word of `search` stands in, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows come and go, every row that stays is seen exactly once."""
        return self._call("POST", "/lists/contact/rows/query", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "limit": limit, "per_page": per_page, "page": page, "query_id": query_id, "sort": sort}))

    def export(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> str:
        """Download rows as CSV. All rows the query finds, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` gets an apostrophe in front, or a spreadsheet would carry it out; an import takes the apostrophe off again."""
        return self._call("POST", "/lists/contact/rows/export", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "sort": sort}))

    def each(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> Iterator[types.ContactRow]:
        """All entries of `query`, page after page."""
        return each(self._call, "rows", "POST", "/lists/contact/rows/query", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "limit": limit, "per_page": per_page, "sort": sort}))


class ContactsColumns:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.ContactsColumnsListAnswer:
        """List the columns. In the order of the table."""
        return self._call("GET", "/lists/contact/columns")

    def create(self, *, name: str, type: Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"] | NotGiven = NOT_GIVEN, options: Sequence[str] | NotGiven = NOT_GIVEN) -> types.ColumnAnswer:
        """Add a column. At the end of the table; rows have nothing in it yet."""
        return self._call("POST", "/lists/contact/columns", body=given({"name": name, "type": type, "options": options}))

    def update(self, column_id: str, *, name: str | NotGiven = NOT_GIVEN, options: Sequence[str] | NotGiven = NOT_GIVEN, position: int | NotGiven = NOT_GIVEN) -> types.ColumnAnswer:
        """Rename a column, change its options or move it. The type of a column stays. Cells keep what they say, also where it is no option any more."""
        return self._call("PATCH", f"/lists/contact/columns/{quote(column_id, safe='')}", body=given({"name": name, "options": options, "position": position}))

    def delete(self, column_id: str) -> None:
        """Delete a column with its cells. Refused while a smartlist filters by it."""
        self._call("DELETE", f"/lists/contact/columns/{quote(column_id, safe='')}")


class ContactsChanges:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, action: Literal["set", "delete"], columns: Mapping[str, Any] | NotGiven = NOT_GIVEN, row_ids: Sequence[str] | NotGiven = NOT_GIVEN, query: Mapping[str, Any] | NotGiven = NOT_GIVEN) -> types.Change:
        """Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 that are named, or all a query finds. A thousand are done when the answer comes; of more it says how far it is, and reading the change says more. A restart goes on where it left off. For 30 seconds after the last row, or until the next change by the same person, it can be taken back."""
        return self._call("POST", "/lists/contact/changes", body=given({"action": action, "columns": columns, "row_ids": row_ids, "query": query}))

    def get(self, id: str) -> types.Change:
        """See how far a change of many rows is. Of a person only their own, of a key those made with keys."""
        return self._call("GET", f"/lists/contact/changes/{quote(id, safe='')}")

    def undo(self, id: str) -> types.Change:
        """Take a change of many rows back. Deleted rows come back as they were, with their ids; changed cells say again what they said. A cell that somebody has changed since stays, and is counted in `not_restored`. 409 when it is too late."""
        return self._call("POST", f"/lists/contact/changes/{quote(id, safe='')}/undo")


class ContactsSmartlists:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.SmartlistPage:
        """List smartlists. Newest first, without how many rows they have."""
        return self._call("GET", "/lists/contact/smartlists", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, name: str, filters: Sequence[Mapping[str, Any]]) -> types.CountedSmartlist:
        """Save filters as a smartlist. It always holds the rows its filters hold for at the time. Without filters it holds all rows."""
        return self._call("POST", "/lists/contact/smartlists", body=given({"name": name, "filters": filters}))

    def get(self, id: str) -> types.CountedSmartlist:
        """Read a smartlist. With its filters, and how many rows fit them at this moment."""
        return self._call("GET", f"/lists/contact/smartlists/{quote(id, safe='')}")

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN) -> types.CountedSmartlist:
        """Change a smartlist. Fields that are not given stay. Given filters take the place of all saved ones."""
        return self._call("PATCH", f"/lists/contact/smartlists/{quote(id, safe='')}", body=given({"name": name, "filters": filters}))

    def delete(self, id: str) -> None:
        """Delete a smartlist. The rows stay. Messages on their way to it are not stopped."""
        self._call("DELETE", f"/lists/contact/smartlists/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Smartlist]:
        """All entries of `list`, page after page."""
        return each(self._call, "smartlists", "GET", "/lists/contact/smartlists", query=given({"limit": limit}))


class ContactsImports:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, dry_run: bool | NotGiven = NOT_GIVEN, upsert_by: str | NotGiven = NOT_GIVEN, allow_duplicates: bool | NotGiven = NOT_GIVEN, new_columns: bool | NotGiven = NOT_GIVEN, mapping: Mapping[str, Any] | NotGiven = NOT_GIVEN, csv: str | NotGiven = NOT_GIVEN, rows: Sequence[Sequence[str | float | None | bool]] | NotGiven = NOT_GIVEN) -> types.ImportWithFaults:
        """Import rows from CSV. Send the file as the body with content type `text/csv` (up to 256 MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the wishes as query parameters, or everything as JSON. The answer comes when the file has been taken in; read the import to see how far it is. A line with the phone number of a row changes that row, unless `allow_duplicates` is true. Good lines are written, bad ones are kept aside and can be downloaded. A restart goes on where it left off."""
        return self._call("POST", "/lists/contact/imports", body=given({"dry_run": dry_run, "upsert_by": upsert_by, "allow_duplicates": allow_duplicates, "new_columns": new_columns, "mapping": mapping, "csv": csv, "rows": rows}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.ContactsImportsListAnswer:
        """List imports. Newest first, each with how far it has come."""
        return self._call("GET", "/lists/contact/imports", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def get(self, id: str) -> types.ImportWithFaults:
        """See how far an import is. Lines read, written and rejected so far, with the first faults."""
        return self._call("GET", f"/lists/contact/imports/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Cancel an import. Rows it has written stay."""
        self._call("DELETE", f"/lists/contact/imports/{quote(id, safe='')}")

    def rejects(self, id: str) -> str:
        """Download the rejected lines as CSV. Each with its line number and what is wrong with it, to be mended and imported again."""
        return self._call("GET", f"/lists/contact/imports/{quote(id, safe='')}/rejects")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Import]:
        """All entries of `list`, page after page."""
        return each(self._call, "imports", "GET", "/lists/contact/imports", query=given({"limit": limit}))


class ContactsSends:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, smartlist_id: str, sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.ListSend:
        """Send a message to a smartlist. The answer comes at once; a job sends and charges chunk by chunk, to each number once. `{{Name}}` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once."""
        return self._call("POST", "/lists/contact/sends", body=given({"smartlist_id": smartlist_id, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at}), keyed=True, idempotency_key=idempotency_key)

    def get(self, id: str) -> types.ListSend:
        """See how far a message to a smartlist is. Rows looked at, recipients accepted, and what was charged so far."""
        return self._call("GET", f"/lists/contact/sends/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Cancel a message to a smartlist. What was charged and not handed over is taken back and refunded; what a carrier has stays with it."""
        self._call("DELETE", f"/lists/contact/sends/{quote(id, safe='')}")


class PeopleErasures:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, phone: str) -> types.ErasureAnswer:
        """Erase a number. Everywhere: the number and the texts sent to it and received from it (the right to erasure). Messages that wait are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. It works in the background, goes on after a restart, and ends with a receipt: read it until its `status` is `done`. Asked again while it runs it is the same erasure. It cannot be undone."""
        return self._call("POST", "/people/erasures", body=given({"phone": phone}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, number_hash: str | NotGiven = NOT_GIVEN) -> types.ErasurePage:
        """List erasures. Newest first. Receipts are kept, and name nobody."""
        return self._call("GET", "/people/erasures", query=given({"limit": limit, "page": page, "query_id": query_id, "number_hash": number_hash}))

    def get(self, id: str) -> types.ErasureAnswer:
        """Read the receipt of an erasure. What was found in which table, by whom it was asked for and when it ended."""
        return self._call("GET", f"/people/erasures/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, number_hash: str | NotGiven = NOT_GIVEN) -> Iterator[types.Erasure]:
        """All entries of `list`, page after page."""
        return each(self._call, "erasures", "GET", "/people/erasures", query=given({"limit": limit, "number_hash": number_hash}))


class SmppAccounts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.SmppAccountsAnswer:
        """List SMPP accounts. With the binds that are up, and what waits for a receiver."""
        return self._call("GET", "/smpp/accounts")

    def create(self, *, system_id: str | NotGiven = NOT_GIVEN, password: str | NotGiven = NOT_GIVEN, allow_networks: Sequence[str] | NotGiven = NOT_GIVEN, max_binds: int | NotGiven = NOT_GIVEN, rate_per_s: int | NotGiven = NOT_GIVEN, window_size: int | NotGiven = NOT_GIVEN, alphabet: Literal["gsm7", "latin1", "ascii", "gsm7-packed"] | NotGiven = NOT_GIVEN, receives_texts: bool | NotGiven = NOT_GIVEN) -> types.SmppAccountWithPasswordAnswer:
        """Make an SMPP account. For software that speaks SMPP 3.4: it binds to the port the operator has opened, under `system_id` and with the password of this answer, which is shown this once. Its messages are sent and charged as those of `POST /sms/send` are. The operator may allow fewer binds, a lower rate and a smaller window than it asks for."""
        return self._call("POST", "/smpp/accounts", body=given({"system_id": system_id, "password": password, "allow_networks": allow_networks, "max_binds": max_binds, "rate_per_s": rate_per_s, "window_size": window_size, "alphabet": alphabet, "receives_texts": receives_texts}))

    def delete(self, system_id: str) -> None:
        """Delete an SMPP account. Its binds are closed within a second, and what waits for it is dropped."""
        self._call("DELETE", f"/smpp/accounts/{quote(system_id, safe='')}")


class Sms:
    def __init__(self, call: Call) -> None:
        self._call = call

    def send(self, *, recipients: str | Sequence[str], sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, personalisation: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Send a message. Sends a text to one or several phone numbers. The charge is taken at once and given back for every recipient the message was never carried to. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is taken too, and answered as by `POST /lists/contact/sends`."""
        return self._call("POST", "/sms/send", body=given({"recipients": recipients, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "personalisation": personalisation, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at}), keyed=True, idempotency_key=idempotency_key)

    def estimate(self, *, recipients: str | Sequence[str], sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, personalisation: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN) -> types.MessageEstimate:
        """See what a message would be and cost. Takes the body of `POST /sms/send` and checks it in the same way, but stores, charges and sends nothing. Tells each text, its encoding and pages, the characters that force UCS-2 and where they are, what the text would cost in GSM, and what smart encoding would make of it. `available_balance` is what would be left, below zero when the balance does not cover the charge."""
        return self._call("POST", "/sms/estimate", body=given({"recipients": recipients, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "personalisation": personalisation, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at}))

    def get(self, id: str) -> types.MessageWithDeliveries:
        """Read a message and what became of it. With one delivery per recipient, in their order: its status, its price, and what the carrier says. The answer to a message with many recipients is sent while it is read, in chunks and without a `content-length`; its fields may come in another order."""
        return self._call("GET", f"/sms/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Take a scheduled message back. Every delivery that still is `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. What has become due meanwhile goes its way; when nothing is left to take back, the answer is 409."""
        self._call("DELETE", f"/sms/{quote(id, safe='')}")

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> types.SmsListAnswer:
        """List messages. Newest first, all of them or those with your `external_ref`."""
        return self._call("GET", "/sms", query=given({"limit": limit, "page": page, "query_id": query_id, "external_ref": external_ref}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> Iterator[types.ListedMessage]:
        """All entries of `list`, page after page."""
        return each(self._call, "messages", "GET", "/sms", query=given({"limit": limit, "external_ref": external_ref}))


class Campaigns:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str | NotGiven = NOT_GIVEN, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, texts: Sequence[types.TextBody] | NotGiven = NOT_GIVEN, sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, pace_per_hour: int | NotGiven = NOT_GIVEN, quiet_from: str | NotGiven = NOT_GIVEN, quiet_until: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.CampaignAnswer:
        """Make a campaign. A message to many people, with a life of its own: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This keeps a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key needs the scope `lists` as well."""
        return self._call("POST", "/campaigns", body=given({"name": name, "smartlist_id": smartlist_id, "filters": filters, "content": content, "template_id": template_id, "texts": texts, "sender_id": sender_id, "channel": channel, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at, "pace_per_hour": pace_per_hour, "quiet_from": quiet_from, "quiet_until": quiet_until}), keyed=True, idempotency_key=idempotency_key)

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, status: Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"] | NotGiven = NOT_GIVEN) -> types.CampaignPage:
        """List campaigns. Newest first; `status` names one state."""
        return self._call("GET", "/campaigns", query=given({"limit": limit, "page": page, "query_id": query_id, "status": status}))

    def get(self, id: str) -> types.CampaignWithOutcomesAnswer:
        """Read a campaign and how far it is. With its estimate, its progress and what became of it so far, from counters."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}")

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, smartlist_id: str | None | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, texts: Sequence[types.TextBody] | NotGiven = NOT_GIVEN, sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | None | NotGiven = NOT_GIVEN, pace_per_hour: int | None | NotGiven = NOT_GIVEN, quiet_from: str | None | NotGiven = NOT_GIVEN, quiet_until: str | None | NotGiven = NOT_GIVEN) -> types.CampaignAnswer:
        """Change a campaign that has not begun. Fields left out stay; null takes a value away. An estimate that it had counts no more."""
        return self._call("PATCH", f"/campaigns/{quote(id, safe='')}", body=given({"name": name, "smartlist_id": smartlist_id, "filters": filters, "content": content, "template_id": template_id, "texts": texts, "sender_id": sender_id, "channel": channel, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at, "pace_per_hour": pace_per_hour, "quiet_from": quiet_from, "quiet_until": quiet_until}))

    def addRecipients(self, id: str, *, recipients: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, csv: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.CampaignAnswer:
        """Upload people to a campaign. Adds people behind those that are there: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), as often as needed. With an `Idempotency-Key` a retry adds nothing. Bad numbers are taken: the estimate tells who is left out and why, and a number gets the message once however often it is uploaded."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/recipients", body=given({"recipients": recipients, "csv": csv}), keyed=True, idempotency_key=idempotency_key)

    def clearRecipients(self, id: str) -> None:
        """Take all uploaded people off a campaign. For a list that was wrong: upload another one afterwards. Only while it is a draft or estimated."""
        self._call("DELETE", f"/campaigns/{quote(id, safe='')}/recipients")

    def estimate(self, id: str) -> types.CampaignAnswer:
        """Work out what a campaign would be and cost. Composes every text and counts its pages and price, and tells who is left out and why. The answer comes at once; read the campaign until it is `estimated`. Who will get it is fixed by this. Asked again, it begins anew."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/estimate")

    def test(self, id: str, *, recipients: str | Sequence[str], text: int | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Send a campaign’s text to yourself. To at most 5 numbers, with the values of the first person of the list. Charged as any message is."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/test", body=given({"recipients": recipients, "text": text}), keyed=True, idempotency_key=idempotency_key)

    def start(self, id: str, *, people: int, charge: float) -> types.CampaignAnswer:
        """Start a campaign. At once, or at its `send_at`. Give the estimate’s figures back: 409 if they are not what was worked out last, 402 if the balance does not cover them. Slices are charged as they go; should the balance run out midway, the campaign is paused with the reason `insufficient_balance`."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/start", body=given({"people": people, "charge": charge}))

    def pause(self, id: str) -> types.CampaignAnswer:
        """Pause a campaign. No further slice is charged. The few thousand that were accepted before go out."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/pause")

    def resume(self, id: str) -> types.CampaignAnswer:
        """Go on with a paused campaign. One that was paused because it would cost more than was confirmed goes on at the new price."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/resume")

    def cancel(self, id: str) -> types.CampaignAnswer:
        """Cancel a campaign. What was charged and not handed over is taken back and refunded within moments; what a carrier has stays with it."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/cancel")

    def report(self, id: str) -> types.CampaignReportAnswer:
        """See what became of a campaign. Delivered, failed by reason and operator, clicks, replies, opt-outs and cost, over time, and which of several texts did best."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}/report")

    def exportReport(self, id: str) -> str:
        """Download everybody of a campaign as CSV. What each person got, and who was left out and why."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}/report.csv")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, status: Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"] | NotGiven = NOT_GIVEN) -> Iterator[types.Campaign]:
        """All entries of `list`, page after page."""
        return each(self._call, "campaigns", "GET", "/campaigns", query=given({"limit": limit, "status": status}))


class Senders:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.SenderPage:
        """List your senders. Newest first, with what the operator says about each."""
        return self._call("GET", "/senders", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, sender_id: str, class_: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, note: str | NotGiven = NOT_GIVEN) -> types.SenderAnswer:
        """Register a sender. It is `pending` until the operator has decided. In live mode only approved senders are used; in the sandbox, and with a test key, any."""
        return self._call("POST", "/senders", body=given({"sender_id": sender_id, "class": class_, "note": note}))

    def get(self, id: str) -> types.SenderAnswer:
        """Read a sender. With what the operator says about it."""
        return self._call("GET", f"/senders/{quote(id, safe='')}")

    def update(self, id: str, *, sender_id: str | NotGiven = NOT_GIVEN, class_: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, note: str | None | NotGiven = NOT_GIVEN) -> types.SenderAnswer:
        """Change a sender. Another `sender_id` or `class` is `pending` again. Fields that are not given stay."""
        return self._call("PATCH", f"/senders/{quote(id, safe='')}", body=given({"sender_id": sender_id, "class": class_, "note": note}))

    def delete(self, id: str) -> None:
        """Remove a sender. Not while it is your default sender."""
        self._call("DELETE", f"/senders/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.RegisteredSender]:
        """All entries of `list`, page after page."""
        return each(self._call, "senders", "GET", "/senders", query=given({"limit": limit}))


class Optouts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> types.OptoutPage:
        """List who wants no messages. Newest first: people who answered STOP, and numbers you have blocked."""
        return self._call("GET", "/optouts", query=given({"limit": limit, "page": page, "query_id": query_id, "recipient": recipient}))

    def create(self, *, recipients: str | Sequence[str]) -> types.OptoutsAnswer:
        """Block numbers. Messages to them end `rejected` with the code `opted_out` and are not charged, whichever way they were asked for. A one-time password that somebody asks for is still sent."""
        return self._call("POST", "/optouts", body=given({"recipients": recipients}))

    def delete(self, id: str) -> None:
        """Lift a block. By the id of the entry, or by the phone number."""
        self._call("DELETE", f"/optouts/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> Iterator[types.Optout]:
        """All entries of `list`, page after page."""
        return each(self._call, "optouts", "GET", "/optouts", query=given({"limit": limit, "recipient": recipient}))


class Inbound:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN) -> types.InboundPage:
        """List what people wrote. Newest first, all of it or what one number wrote."""
        return self._call("GET", "/inbound", query=given({"limit": limit, "page": page, "query_id": query_id, "from": from_}))

    def get(self, id: str) -> types.InboundAnswer:
        """Read a text. As it came, with the keyword we found in it."""
        return self._call("GET", f"/inbound/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN) -> Iterator[types.InboundMessage]:
        """All entries of `list`, page after page."""
        return each(self._call, "inbound", "GET", "/inbound", query=given({"limit": limit, "from": from_}))


class Conversations:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.ConversationPage:
        """List conversations. One for each number that has written to you, the one with the newest text or answer first. A conversation begins with a text of theirs. What you send to the number otherwise, such as a campaign, is in its thread and does not move it up."""
        return self._call("GET", "/conversations", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def get(self, phone: str, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.Thread:
        """Read a conversation. Everything that went to and fro, newest first, with the state of what you sent, and what holds for an answer. Of very many messages only as many are looked through as half a second allows; then `searched_until` says how far, and `query_id` goes on."""
        return self._call("GET", f"/conversations/{quote(phone, safe='')}", query=given({"limit": limit, "query_id": query_id}))

    def answer(self, phone: str, *, content: str, external_ref: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Answer in a conversation. Sends a text on the channel they last wrote by, from the number or name they wrote to where messages may come from it. Priced, charged and reported as by `POST /sms/send`."""
        return self._call("POST", f"/conversations/{quote(phone, safe='')}/messages", body=given({"content": content, "external_ref": external_ref}), keyed=True, idempotency_key=idempotency_key)

    def read(self, phone: str, *, received: int | NotGiven = NOT_GIVEN) -> None:
        """Mark a conversation as read. For everybody in the organisation. Give `received` as you have read it, so that a text that comes meanwhile stays unread."""
        self._call("POST", f"/conversations/{quote(phone, safe='')}/read", body=given({"received": received}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.ListedConversation]:
        """All entries of `list`, page after page."""
        return each(self._call, "conversations", "GET", "/conversations", query=given({"limit": limit}))


class Templates:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str, content: str, whatsapp: types.WhatsappTemplate | NotGiven = NOT_GIVEN) -> types.Template:
        """Create a template. A text to send again and again with `template_id` in `POST /sms/send`. What is in double braces is filled in per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist."""
        return self._call("POST", "/templates", body=given({"name": name, "content": content, "whatsapp": whatsapp}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.TemplatePage:
        """List templates. Newest first, each in its newest version."""
        return self._call("GET", "/templates", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def get(self, id: str, *, version: int | NotGiven = NOT_GIVEN) -> types.Template:
        """Read a template. In its newest version, or in an older one such as a message was made of."""
        return self._call("GET", f"/templates/{quote(id, safe='')}", query=given({"version": version}))

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, whatsapp: Mapping[str, Any] | None | NotGiven = NOT_GIVEN) -> types.Template:
        """Change a template. Every change makes a new version. Messages that were sent keep the one they were made of."""
        return self._call("PATCH", f"/templates/{quote(id, safe='')}", body=given({"name": name, "content": content, "whatsapp": whatsapp}))

    def delete(self, id: str) -> None:
        """Delete a template. With all of its versions. Messages that were sent keep their text."""
        self._call("DELETE", f"/templates/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Template]:
        """All entries of `list`, page after page."""
        return each(self._call, "templates", "GET", "/templates", query=given({"limit": limit}))


class Otp:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.settings = OtpSettings(call)
        self.guard = OtpGuard(call)

    def request(self, *, recipient: str, length: int | NotGiven = NOT_GIVEN, expires_in: int | NotGiven = NOT_GIVEN, token: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.OtpRecord:
        """Send a token. Sends a one-time password to a phone number and charges what a message on that channel costs. The token is in no answer; the message is not handed over any more once the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and numbers whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason."""
        return self._call("POST", "/otp/request_token", body=given({"recipient": recipient, "length": length, "expires_in": expires_in, "token": token, "channel": channel}), keyed=True, idempotency_key=idempotency_key)

    def verify(self, *, id: str, token: str) -> types.OtpRecord:
        """Verify a token. The right token gives the record with status 4, once. Everything else is a 404 whose `errors[0].type` says why: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong tries end the OTP. In live mode twenty wrong tries in a day, over all OTPs of a number, are `max_attempts` too."""
        return self._call("POST", "/otp/verify", body=given({"id": id, "token": token}))

    def get(self, id: str) -> types.OtpRecord:
        """Read an OTP. Its status is what holds at this moment: one whose time is over is EXPIRED. The token is never shown."""
        return self._call("GET", f"/otp/{quote(id, safe='')}")

    def revoke(self, id: str) -> None:
        """Revoke an OTP. Nothing can be verified with it afterwards. One that was verified stays so, and the answer is 409. One that has expired, failed or been revoked already stays as it is, too, and the answer is 204: it is of no use any more."""
        self._call("DELETE", f"/otp/{quote(id, safe='')}")

    def list(self, *, recipient: str) -> Sequence[types.OtpRecord]:
        """List the OTPs of a recipient. Newest first, at most 1,000. The number is taken from the query, from the path (`/otp/get-by-recipient/2348031234567`) or from a JSON body, and may be called `phone` or `to` as well; `get_by_recipient` is the same path."""
        return self._call("GET", "/otp/get-by-recipient", query=given({"recipient": recipient}))


class Airtime:
    def __init__(self, call: Call) -> None:
        self._call = call

    def buy(self, *, network: Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"], amount: float, recipient: str, callback: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.BoughtPurchase:
        """Buy airtime. Charges the amount at once and answers `pending`; what follows comes to your `callback`, or is read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount again within five minutes ends `duplicate`, unless both requests carry different `Idempotency-Key`s or `external_ref`s; a first one that came to nothing does not count. When the vendor does not say clearly what became of a purchase it stays `sent`, and is neither refunded nor bought again, until the vendor or the operator knows."""
        return self._call("POST", "/airtime/buy", body=given({"network": network, "amount": amount, "recipient": recipient, "callback": callback, "external_ref": external_ref}), keyed=True, idempotency_key=idempotency_key)

    def get(self, id: str) -> types.ReadPurchase:
        """Read a purchase and what became of it. Its status and its charge, with the reason where it was refunded."""
        return self._call("GET", f"/airtime/{quote(id, safe='')}")

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> types.PurchasePage:
        """List purchases. Newest first, all of them or those with your `external_ref`."""
        return self._call("GET", "/airtime", query=given({"limit": limit, "page": page, "query_id": query_id, "external_ref": external_ref}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> Iterator[types.ListedPurchase]:
        """All entries of `list`, page after page."""
        return each(self._call, "purchases", "GET", "/airtime", query=given({"limit": limit, "external_ref": external_ref}))


class Lookup:
    def __init__(self, call: Call) -> None:
        self._call = call

    def phone(self, *, phone: str, idempotency_key: str | None = None) -> types.LookupAnswer:
        """Look up a phone number by POST. The same, and with an `Idempotency-Key` a retry is charged once."""
        return self._call("POST", "/lookup/phone", body=given({"phone": phone}), keyed=True, idempotency_key=idempotency_key)

    def phones(self, *, phones: str | Sequence[str], skip_invalid: bool | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.LookupsAnswer:
        """Look up many phone numbers. One answer per number, in the order given. One number that is none refuses the request, unless `skip_invalid` says otherwise."""
        return self._call("POST", "/lookup/phones", body=given({"phones": phones, "skip_invalid": skip_invalid}), keyed=True, idempotency_key=idempotency_key)


class Contacts:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.rows = ContactsRows(call)
        self.columns = ContactsColumns(call)
        self.changes = ContactsChanges(call)
        self.smartlists = ContactsSmartlists(call)
        self.imports = ContactsImports(call)
        self.sends = ContactsSends(call)

    def get(self) -> types.ContactTable:
        """Read the contact table. Its columns. An organisation that has none yet gets one with the columns Name, Email and Mobile."""
        return self._call("GET", "/lists/contact")


class People:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.erasures = PeopleErasures(call)

    def export(self, *, phone: str) -> types.PersonExport:
        """Export what is kept about a number. As JSON, table by table, for the person who asks what you know about them (the right of access). A POST, so that the number stands in no address and no log. What waits or was kept for several people shows only the part about this one. Everything you have is looked through, so there is one at a time: 429 while another is being written."""
        return self._call("POST", "/people/export", body=given({"phone": phone}))


class Balance:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN) -> types.AccountPage:
        """Read the balance and its ledger. The balance is always the sum of all ledger lines. Newest lines first: all of them, or those of a time, a kind, a message or a reference of yours. With a time, `opening_balance` and `closing_balance` are what there was before and after it, whatever else is asked for."""
        return self._call("GET", "/balance", query=given({"limit": limit, "page": page, "query_id": query_id, "from": from_, "until": until, "external_ref": external_ref, "kind": kind, "subject_id": subject_id}))

    def export(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN) -> str:
        """Download the ledger as CSV. The lines that `GET /balance` lists, all of them, newest first."""
        return self._call("GET", "/balance.csv", query=given({"from": from_, "until": until, "external_ref": external_ref, "kind": kind, "subject_id": subject_id}))

    def messages(self, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> types.MessageCostPage:
        """See what each message came to. One line for each message that was accepted in that time, newest first: what was charged, what was given back since, and what is left. Messages go when their retention ends; the ledger stays."""
        return self._call("GET", "/balance/messages", query=given({"limit": limit, "query_id": query_id, "from": from_, "until": until, "external_ref": external_ref}))

    def exportMessages(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN) -> str:
        """Download what each message came to as CSV. What `GET /balance/messages` lists, all of it, newest first."""
        return self._call("GET", "/balance/messages.csv", query=given({"from": from_, "until": until, "external_ref": external_ref}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN) -> Iterator[types.LedgerEntry]:
        """All entries of `get`, page after page."""
        return each(self._call, "entries", "GET", "/balance", query=given({"limit": limit, "from": from_, "until": until, "external_ref": external_ref, "kind": kind, "subject_id": subject_id}))


class Requests:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, status: str | NotGiven = NOT_GIVEN, path: str | NotGiven = NOT_GIVEN, key_id: str | NotGiven = NOT_GIVEN, request_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN) -> types.RequestPage:
        """List your calls. What was called with your keys in the last days, newest first, a second or two after it was answered. Of more than twenty calls in a second failures are kept first, and a sample of the others: `shown` and `seen` say so. It is a log and no proof: a crash of the service loses its last second."""
        return self._call("GET", "/requests", query=given({"limit": limit, "query_id": query_id, "status": status, "path": path, "key_id": key_id, "request_id": request_id, "from": from_, "until": until}))

    def get(self, request_id: str) -> types.RequestAnswer:
        """Read a call. With what was sent and answered, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and no headers are kept."""
        return self._call("GET", f"/requests/{quote(request_id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, status: str | NotGiven = NOT_GIVEN, path: str | NotGiven = NOT_GIVEN, key_id: str | NotGiven = NOT_GIVEN, request_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN) -> Iterator[types.LoggedRequest]:
        """All entries of `list`, page after page."""
        return each(self._call, "requests", "GET", "/requests", query=given({"limit": limit, "status": status, "path": path, "key_id": key_id, "request_id": request_id, "from": from_, "until": until}))


class Analytics:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, by: Literal["channel", "country", "operator", "sender", "route", "error", "template"] | NotGiven = NOT_GIVEN, value: str | NotGiven = NOT_GIVEN, interval: Literal["hour", "day", "month"] | NotGiven = NOT_GIVEN, compare: Literal["previous_period", "previous_year"] | NotGiven = NOT_GIVEN) -> types.AnalyticsAnswer:
        """See what became of messages and one-time passwords. Of any stretch of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with a stretch before. A message is counted in the hour it was accepted, whatever becomes of it later, so rates are true for any stretch; figures of the last days still move while reports come in. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A process that is killed loses a second of them at most: what you pay is told by the ledger."""
        return self._call("GET", "/analytics", query=given({"from": from_, "until": until, "by": by, "value": value, "interval": interval, "compare": compare}))

    def export(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, by: Literal["channel", "country", "operator", "sender", "route", "error", "template"] | NotGiven = NOT_GIVEN, value: str | NotGiven = NOT_GIVEN, interval: Literal["hour", "day", "month"] | NotGiven = NOT_GIVEN, compare: Literal["previous_period", "previous_year"] | NotGiven = NOT_GIVEN) -> str:
        """Download analytics as CSV. The same figures, in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare` the figures before in columns of their own."""
        return self._call("GET", "/analytics.csv", query=given({"from": from_, "until": until, "by": by, "value": value, "interval": interval, "compare": compare}))


class Settings:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> types.OrganisationSettingsAnswer:
        """Read your settings. Those of your organisation, with what the operator has set."""
        return self._call("GET", "/settings")

    def update(self, *, name: str | NotGiven = NOT_GIVEN, default_country: str | NotGiven = NOT_GIVEN, default_sender_id: str | None | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, inbound_url: str | None | NotGiven = NOT_GIVEN, quiet_from: str | None | NotGiven = NOT_GIVEN, quiet_until: str | None | NotGiven = NOT_GIVEN, whatsapp_fallback: bool | NotGiven = NOT_GIVEN, time_zone: str | None | NotGiven = NOT_GIVEN, low_balance: float | None | NotGiven = NOT_GIVEN) -> types.OrganisationSettingsAnswer:
        """Change your settings. Fields that are not given stay; null takes a value away where there need not be one. A change counts within a second on every process. The currency is the operator’s to set."""
        return self._call("PATCH", "/settings", body=given({"name": name, "default_country": default_country, "default_sender_id": default_sender_id, "smart_encoding": smart_encoding, "inbound_url": inbound_url, "quiet_from": quiet_from, "quiet_until": quiet_until, "whatsapp_fallback": whatsapp_fallback, "time_zone": time_zone, "low_balance": low_balance}))


class Callbacks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, webhook_id: str | NotGiven = NOT_GIVEN, event_id: str | NotGiven = NOT_GIVEN, status: Literal["pending", "delivered", "stopped", "failed"] | NotGiven = NOT_GIVEN) -> types.CallbackPage:
        """List callbacks. Newest first: all of them, or those about one message, of one webhook, with one `webhook-id`, or in one state."""
        return self._call("GET", "/callbacks", query=given({"limit": limit, "page": page, "query_id": query_id, "subject_id": subject_id, "webhook_id": webhook_id, "event_id": event_id, "status": status}))

    def get(self, id: str) -> types.CallbackWithAttemptsAnswer:
        """Read a callback with every try. With the body as it was posted, and every try: when, how long, and what your endpoint answered."""
        return self._call("GET", f"/callbacks/{quote(id, safe='')}")

    def replay(self, id: str) -> types.CallbackAnswer:
        """Send a callback again. At once, with the same `webhook-id` and body, whatever became of it before. What was for a registered webhook goes where that webhook points now."""
        return self._call("POST", f"/callbacks/{quote(id, safe='')}/replay")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, webhook_id: str | NotGiven = NOT_GIVEN, event_id: str | NotGiven = NOT_GIVEN, status: Literal["pending", "delivered", "stopped", "failed"] | NotGiven = NOT_GIVEN) -> Iterator[types.ListedCallback]:
        """All entries of `list`, page after page."""
        return each(self._call, "callbacks", "GET", "/callbacks", query=given({"limit": limit, "subject_id": subject_id, "webhook_id": webhook_id, "event_id": event_id, "status": status}))


class Webhooks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.WebhookPage:
        """List webhooks. Newest first. Secrets are not shown."""
        return self._call("GET", "/webhooks", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, url: str, events: Sequence[str] | NotGiven = NOT_GIVEN, format: Literal["standard", "simpu", "twilio"] | NotGiven = NOT_GIVEN, description: str | NotGiven = NOT_GIVEN, enabled: bool | NotGiven = NOT_GIVEN) -> types.WebhookWithSecretAnswer:
        """Register a webhook. From now on every event its filter names is posted there, besides the `callback` a request may name. An event that goes to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is shown this once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why."""
        return self._call("POST", "/webhooks", body=given({"url": url, "events": events, "format": format, "description": description, "enabled": enabled}))

    def get(self, id: str) -> types.WebhookAnswer:
        """Read a webhook. With why and since when it fails, where it does. Its secret is not shown."""
        return self._call("GET", f"/webhooks/{quote(id, safe='')}")

    def update(self, id: str, *, url: str | NotGiven = NOT_GIVEN, events: Sequence[str] | NotGiven = NOT_GIVEN, description: str | None | NotGiven = NOT_GIVEN, enabled: bool | NotGiven = NOT_GIVEN) -> types.WebhookAnswer:
        """Change a webhook. Fields that are not given stay. What still waits to be tried goes to the new `url`. While a webhook is disabled nothing is kept for it, and what waits is stopped when its turn comes; it can be sent again later. Another `url` for one in the form of Twilio needs the scope `sms` as well."""
        return self._call("PATCH", f"/webhooks/{quote(id, safe='')}", body=given({"url": url, "events": events, "description": description, "enabled": enabled}))

    def delete(self, id: str) -> None:
        """Delete a webhook. Callbacks that wait for it are `stopped`. What is on its way at this moment may still arrive."""
        self._call("DELETE", f"/webhooks/{quote(id, safe='')}")

    def rotate(self, id: str, *, overlap_hours: int | NotGiven = NOT_GIVEN) -> types.WebhookWithSecretAnswer:
        """Rotate the secret of a webhook. For `overlap_hours` posts carry two signatures, one of the new secret and one of the secret before it, so that your endpoint can change over. 0 ends the old one at once."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/rotate", body=given({"overlap_hours": overlap_hours}))

    def test(self, id: str) -> types.CallbackAnswer:
        """Send a test event. Posts an event of type `webhook.test`, once, whatever the filter, also while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer tells what came of it."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/test")

    def replay(self, id: str, *, since: str, until: str | NotGiven = NOT_GIVEN) -> types.WebhooksReplayAnswer:
        """Send failed events again. Everything for this webhook that failed or was stopped in a time is put in line again, with the same `webhook-id` and body. Up to 10,000 at once: ask again until `complete` is true."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/replay", body=given({"since": since, "until": until}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Webhook]:
        """All entries of `list`, page after page."""
        return each(self._call, "webhooks", "GET", "/webhooks", query=given({"limit": limit}))


class Hooks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.HooksAnswer:
        """List hooks. With what each is for. Secrets are not shown."""
        return self._call("GET", "/hooks")

    def create(self, *, kind: Literal["supabase", "logto", "authentik", "zitadel", "kratos", "keycloak", "fusionauth", "listmonk", "novu"], secret: str | NotGiven = NOT_GIVEN) -> types.HookWithSecretAnswer:
        """Make a hook. For identity servers and others that hand over what is to be sent in a form of their own: `POST /hooks/{name}` takes their requests, signed or authenticated with the secret of this answer, which is shown this once. One-time passwords go with the priority, the limits and the guard of ours; verifying them stays with the other side, and `POST /hooks/{name}/verified` with `{"to": …}` tells the guard of a success."""
        return self._call("POST", "/hooks", body=given({"kind": kind, "secret": secret}))

    def delete(self, name: str) -> None:
        """Delete a hook. What it asks for afterwards is refused."""
        self._call("DELETE", f"/hooks/{quote(name, safe='')}")


class Smpp:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.accounts = SmppAccounts(call)



class Sandbox:
    def __init__(self, call: Call) -> None:
        self._call = call

    def messages(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> types.SandboxPage:
        """What the virtual handsets show. In sandbox mode, or with a test key. One-time passwords are in clear here, as on a phone."""
        return self._call("GET", "/sandbox/messages", query=given({"limit": limit, "page": page, "query_id": query_id, "recipient": recipient}))

    def reply(self, *, from_: str, to: str, text: str, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN) -> types.InboundAnswer:
        """Let a virtual handset answer. In sandbox mode, or with a test key. The text is received as one from a real handset would be: kept, posted to your inbound URL, and STOP blocks the number. Real handsets cannot answer a name such as `Gangan`; these can."""
        return self._call("POST", "/sandbox/reply", body=given({"from": from_, "to": to, "text": text, "channel": channel}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> Iterator[types.SandboxMessage]:
        """All entries of `messages`, page after page."""
        return each(self._call, "messages", "GET", "/sandbox/messages", query=given({"limit": limit, "recipient": recipient}))


class Resources:
    """Every operation, by the name it has in all clients."""

    def __init__(self, call: Call) -> None:
        self.sms = Sms(call)
        self.campaigns = Campaigns(call)
        self.senders = Senders(call)
        self.optouts = Optouts(call)
        self.inbound = Inbound(call)
        self.conversations = Conversations(call)
        self.templates = Templates(call)
        self.otp = Otp(call)
        self.airtime = Airtime(call)
        self.lookup = Lookup(call)
        self.contacts = Contacts(call)
        self.people = People(call)
        self.balance = Balance(call)
        self.requests = Requests(call)
        self.analytics = Analytics(call)
        self.settings = Settings(call)
        self.callbacks = Callbacks(call)
        self.webhooks = Webhooks(call)
        self.hooks = Hooks(call)
        self.smpp = Smpp(call)
        self.sandbox = Sandbox(call)
