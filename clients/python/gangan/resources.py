# Written by `npm run clients` from openapi.json.
from __future__ import annotations

from typing import Any, Iterator, Literal, Mapping, Sequence, Union
from urllib.parse import quote

from . import types
from .call import NOT_GIVEN, Call, NotGiven, each, given

class ConversationsNotes:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, phone: str, *, text: str) -> types.ConversationMessage:
        """Add a note to a conversation. Only your users see it, in the thread. It is not sent, and does not move the conversation up."""
        return self._call("POST", f"/conversations/{quote(phone, safe='')}/notes", body=given({"text": text}))

    def delete(self, note_id: str) -> None:
        """Delete a note. By its id in the thread."""
        self._call("DELETE", f"/notes/{quote(note_id, safe='')}")


class WhatsappTemplates:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str, language: str, category: str, components: Sequence[Mapping[str, Any]], parameter_format: str | NotGiven = NOT_GIVEN) -> types.MetaTemplate:
        """Create a WhatsApp template. Submits a template to Meta, which reviews it: minutes, at most a day. It is checked by Meta’s rules first. A template of `/templates` then names it in `whatsapp`."""
        return self._call("POST", "/whatsapp/templates", body=given({"name": name, "language": language, "category": category, "parameter_format": parameter_format, "components": components}))

    def list(self) -> types.MetaTemplates:
        """List WhatsApp templates. All templates at Meta that you may send, by name, with status, reason and quality. Meta’s webhooks update them immediately."""
        return self._call("GET", "/whatsapp/templates")

    def get(self, id: str) -> types.MetaTemplate:
        """Read a WhatsApp template. With its status at Meta."""
        return self._call("GET", f"/whatsapp/templates/{quote(id, safe='')}")

    def update(self, id: str, *, components: Sequence[Mapping[str, Any]], category: str | NotGiven = NOT_GIVEN) -> types.MetaTemplate:
        """Change a WhatsApp template. Replaces its components; Meta reviews it again. Meta allows one change of an approved template in 24 hours, and ten in 30 days."""
        return self._call("PATCH", f"/whatsapp/templates/{quote(id, safe='')}", body=given({"category": category, "components": components}))

    def delete(self, id: str) -> None:
        """Delete a WhatsApp template. At Meta, in this language. Its name cannot be used again for 30 days."""
        self._call("DELETE", f"/whatsapp/templates/{quote(id, safe='')}")


class OtpSettings:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> types.OtpSettingsAnswer:
        """Read the OTP settings. Your settings, and the configured defaults of the rest."""
        return self._call("GET", "/otp/settings")

    def update(self, *, template: str | None | NotGiven = NOT_GIVEN, origin: str | None | NotGiven = NOT_GIVEN, fallback_channel: Literal["sms", "whatsapp"] | None | NotGiven = NOT_GIVEN, fallback_after_s: int | None | NotGiven = NOT_GIVEN, resend_after_s: int | None | NotGiven = NOT_GIVEN, resend_when_late: bool | None | NotGiven = NOT_GIVEN, resend_times: int | None | NotGiven = NOT_GIVEN, test_numbers: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN) -> types.OtpSettingsAnswer:
        """Change the OTP settings. The text, the domain for autofill, a second message, and numbers with a fixed token. Fields that are left out stay; null restores the default. Each message of an OTP is charged."""
        return self._call("PATCH", "/otp/settings", body=given({"template": template, "origin": origin, "fallback_channel": fallback_channel, "fallback_after_s": fallback_after_s, "resend_after_s": resend_after_s, "resend_when_late": resend_when_late, "resend_times": resend_times, "test_numbers": test_numbers}))


class OtpGuard:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.GuardPage:
        """List guarded prefixes. Number prefixes (a number without its last four digits) whose tokens are requested but rarely verified. A slowed prefix accepts a request now and then, a blocked one none until its block ends."""
        return self._call("GET", "/otp/guard", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def lift(self, prefix: str) -> None:
        """Remove the guard of a prefix. Resets its counters."""
        self._call("DELETE", f"/otp/guard/{quote(prefix, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.GuardedPrefix]:
        """All entries of `list`, page after page."""
        return each(self._call, "prefixes", "GET", "/otp/guard", query=given({"limit": limit}))


class ContactsRows:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, columns: Mapping[str, Any]) -> types.RowAnswer:
        """Add a row. With cells for any of the columns. All errors are returned together."""
        return self._call("POST", "/lists/contact/rows", body=given({"columns": columns}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN) -> types.RowsAnswer:
        """List all rows. Newest first, or sorted by a column. `POST /lists/contact/rows/query` filters."""
        return self._call("GET", "/lists/contact/rows", query=given({"limit": limit, "per_page": per_page, "page": page, "query_id": query_id, "sort": sort, "search": search}))

    def bulk(self, *, rows: Sequence[types.RowBody]) -> types.BulkAnswer:
        """Add up to 1,000 rows. All rows, or none if any is invalid; errors name the index of their row."""
        return self._call("POST", "/lists/contact/rows/bulk", body=given({"rows": rows}))

    def get(self, row_id: str) -> types.RowAnswer:
        """Read a row. `row` is an alias of `rows` in the path."""
        return self._call("GET", f"/lists/contact/rows/{quote(row_id, safe='')}")

    def update(self, row_id: str, *, columns: Mapping[str, Any]) -> types.RowAnswer:
        """Change cells of a row. Cells that are left out stay. `row` is an alias of `rows` in the path."""
        return self._call("PATCH", f"/lists/contact/rows/{quote(row_id, safe='')}", body=given({"columns": columns}))

    def delete(self, row_id: str) -> None:
        """Delete a row. `row` is an alias of `rows` in the path."""
        self._call("DELETE", f"/lists/contact/rows/{quote(row_id, safe='')}")

    def query(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> types.RowsAnswer:
        """Query rows. The rows that match all filters and contain every word of `search`, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows are added and deleted, every row that stays is returned exactly once."""
        return self._call("POST", "/lists/contact/rows/query", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "limit": limit, "per_page": per_page, "page": page, "query_id": query_id, "sort": sort}))

    def export(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> str:
        """Download rows as CSV. All rows that match, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` is prefixed with an apostrophe, so that spreadsheets do not execute it; an import removes the apostrophe."""
        return self._call("POST", "/lists/contact/rows/export", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "sort": sort}))

    def each(self, *, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, search: str | NotGiven = NOT_GIVEN, limit: int | NotGiven = NOT_GIVEN, per_page: int | NotGiven = NOT_GIVEN, sort: str | NotGiven = NOT_GIVEN) -> Iterator[types.ContactRow]:
        """All entries of `query`, page after page."""
        return each(self._call, "rows", "POST", "/lists/contact/rows/query", body=given({"smartlist_id": smartlist_id, "filters": filters, "search": search, "limit": limit, "per_page": per_page, "sort": sort}))


class ContactsColumns:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.ContactsColumnsListAnswer:
        """List the columns. In display order."""
        return self._call("GET", "/lists/contact/columns")

    def create(self, *, name: str, type: Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"] | NotGiven = NOT_GIVEN, options: Sequence[str] | NotGiven = NOT_GIVEN) -> types.ColumnAnswer:
        """Add a column. At the end of the table, with empty cells."""
        return self._call("POST", "/lists/contact/columns", body=given({"name": name, "type": type, "options": options}))

    def update(self, column_id: str, *, name: str | NotGiven = NOT_GIVEN, options: Sequence[str] | NotGiven = NOT_GIVEN, position: int | NotGiven = NOT_GIVEN) -> types.ColumnAnswer:
        """Rename a column, change its options or move it. The type of a column cannot change. Cells keep their values, even if they are no longer an option."""
        return self._call("PATCH", f"/lists/contact/columns/{quote(column_id, safe='')}", body=given({"name": name, "options": options, "position": position}))

    def delete(self, column_id: str) -> None:
        """Delete a column with its cells. Refused while a smartlist filters by it."""
        self._call("DELETE", f"/lists/contact/columns/{quote(column_id, safe='')}")


class ContactsConversions:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, column_id: str, *, type: Literal["TEXT", "NUMBER", "DATE", "PHONE NUMBER", "EMAIL", "URL", "SELECT", "MULTI SELECT"], format: Literal["1,234.5", "1.234,5", "YYYY-MM-DD", "DD/MM/YYYY", "MM/DD/YYYY"] | NotGiven = NOT_GIVEN, options: Sequence[str] | NotGiven = NOT_GIVEN, clear_unfit: bool | NotGiven = NOT_GIVEN, dry_run: bool | NotGiven = NOT_GIVEN) -> types.Conversion:
        """Convert a column to another type. With `dry_run` a preview: how many cells fit the type, which do not, and what they become. Otherwise a job converts all cells and then gives the column its type; until then it is read as before. From the start, values written to the column must fit the new type, too. Numbers are stored as `1234.5`, dates as `2026-04-03`. Refused if a smartlist or an open campaign uses the column in a way the type does not allow; 409 while a bulk change or an import is running. It can be undone for 10 minutes, and ends the undo of earlier bulk changes. It continues after a restart."""
        return self._call("POST", f"/lists/contact/columns/{quote(column_id, safe='')}/conversions", body=given({"type": type, "format": format, "options": options, "clear_unfit": clear_unfit, "dry_run": dry_run}))

    def get(self, id: str) -> types.Conversion:
        """Read the progress of a conversion. Counts of the cells so far, with the first cells that fit and the first that do not."""
        return self._call("GET", f"/lists/contact/conversions/{quote(id, safe='')}")

    def undo(self, id: str) -> types.Conversion:
        """Undo a conversion. The column has its previous type and cells immediately. A cell written since is kept if it fits that type, and otherwise cleared. 409 if the time to undo has passed, or a smartlist or an open campaign depends on the new type."""
        return self._call("POST", f"/lists/contact/conversions/{quote(id, safe='')}/undo")


class ContactsChanges:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, action: Literal["set", "delete"], columns: Mapping[str, Any] | NotGiven = NOT_GIVEN, row_ids: Sequence[str] | NotGiven = NOT_GIVEN, query: Mapping[str, Any] | NotGiven = NOT_GIVEN) -> types.Change:
        """Change or delete many rows. Writes one cell of every row, or deletes the rows: up to 10,000 given by id, or all that a query finds. A thousand rows are done before the answer; for more it reports the progress, which reading the change updates. It continues after a restart. It can be undone for 30 seconds after the last row, or until the next change by the same user."""
        return self._call("POST", "/lists/contact/changes", body=given({"action": action, "columns": columns, "row_ids": row_ids, "query": query}))

    def get(self, id: str) -> types.Change:
        """Read the progress of a bulk change. Users read their own changes, keys those made with keys."""
        return self._call("GET", f"/lists/contact/changes/{quote(id, safe='')}")

    def undo(self, id: str) -> types.Change:
        """Undo a bulk change. Deleted rows are restored with their ids, and changed cells with their previous values. A cell changed since is kept, and counted in `not_restored`. 409 if the time to undo has passed."""
        return self._call("POST", f"/lists/contact/changes/{quote(id, safe='')}/undo")


class ContactsSmartlists:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.SmartlistPage:
        """List smartlists. Newest first, without row counts."""
        return self._call("GET", "/lists/contact/smartlists", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, name: str, filters: Sequence[Mapping[str, Any]]) -> types.CountedSmartlist:
        """Save filters as a smartlist. A smartlist contains the rows that match its filters at the time it is used; without filters, all rows."""
        return self._call("POST", "/lists/contact/smartlists", body=given({"name": name, "filters": filters}))

    def get(self, id: str) -> types.CountedSmartlist:
        """Read a smartlist. With its filters and its current row count."""
        return self._call("GET", f"/lists/contact/smartlists/{quote(id, safe='')}")

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN) -> types.CountedSmartlist:
        """Change a smartlist. Fields that are left out stay. New filters replace all saved ones."""
        return self._call("PATCH", f"/lists/contact/smartlists/{quote(id, safe='')}", body=given({"name": name, "filters": filters}))

    def delete(self, id: str) -> None:
        """Delete a smartlist. The rows stay. Messages being sent to it are not stopped."""
        self._call("DELETE", f"/lists/contact/smartlists/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Smartlist]:
        """All entries of `list`, page after page."""
        return each(self._call, "smartlists", "GET", "/lists/contact/smartlists", query=given({"limit": limit}))


class ContactsImports:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, dry_run: bool | NotGiven = NOT_GIVEN, upsert_by: str | NotGiven = NOT_GIVEN, allow_duplicates: bool | NotGiven = NOT_GIVEN, detect: Literal["certain", "likely"] | NotGiven = NOT_GIVEN, new_columns: bool | NotGiven = NOT_GIVEN, mapping: Mapping[str, Any] | NotGiven = NOT_GIVEN, types: Mapping[str, Any] | NotGiven = NOT_GIVEN, formats: Mapping[str, Any] | NotGiven = NOT_GIVEN, csv: str | NotGiven = NOT_GIVEN, rows: Sequence[Sequence[str | float | None | bool]] | NotGiven = NOT_GIVEN) -> types.ImportWithFaults:
        """Import rows from CSV. Send the file as the body with content type `text/csv` (up to 256 MiB; the first line holds the headers; comma, semicolon, tab or bar; UTF-8 or Windows-1252) and the options as query parameters, or everything as JSON. Answers once the file is stored; read the import for its progress. A line with the phone number of an existing row updates that row, unless `allow_duplicates` is true. Valid lines are written, rejected ones can be downloaded. It continues after a restart."""
        return self._call("POST", "/lists/contact/imports", body=given({"dry_run": dry_run, "upsert_by": upsert_by, "allow_duplicates": allow_duplicates, "detect": detect, "new_columns": new_columns, "mapping": mapping, "types": types, "formats": formats, "csv": csv, "rows": rows}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.ContactsImportsListAnswer:
        """List imports. Newest first, each with its progress."""
        return self._call("GET", "/lists/contact/imports", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def get(self, id: str) -> types.ImportWithFaults:
        """Read the progress of an import. Lines read, written and rejected so far, with the first errors."""
        return self._call("GET", f"/lists/contact/imports/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Cancel an import. Rows already written stay."""
        self._call("DELETE", f"/lists/contact/imports/{quote(id, safe='')}")

    def rejects(self, id: str) -> str:
        """Download the rejected lines as CSV. Each with its line number and error, to be corrected and imported again."""
        return self._call("GET", f"/lists/contact/imports/{quote(id, safe='')}/rejects")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Import]:
        """All entries of `list`, page after page."""
        return each(self._call, "imports", "GET", "/lists/contact/imports", query=given({"limit": limit}))


class ContactsSends:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, smartlist_id: str, sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.ListSend:
        """Send a message to a smartlist. Answers immediately; a job sends and charges in chunks, to each number once. `{{Name}}` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once."""
        return self._call("POST", "/lists/contact/sends", body=given({"smartlist_id": smartlist_id, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at}), keyed=True, idempotency_key=idempotency_key)

    def get(self, id: str) -> types.ListSend:
        """Read the progress of a message to a smartlist. Rows scanned, recipients accepted, and the charge so far."""
        return self._call("GET", f"/lists/contact/sends/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Cancel a message to a smartlist. Messages not yet submitted to a carrier are canceled and refunded; submitted ones are not."""
        self._call("DELETE", f"/lists/contact/sends/{quote(id, safe='')}")


class PeopleErasures:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, phone: str) -> types.ErasureAnswer:
        """Erase a number. Erases the number and the texts sent to and received from it, everywhere (right to erasure). Pending messages are canceled and refunded; money, counters and states stay, under a keyed hash in place of the number; an opt-out stays in force. Runs in the background, continues after a restart, and ends with a receipt: read it until its `status` is `done`. A second request while it runs returns the same erasure. It cannot be undone."""
        return self._call("POST", "/people/erasures", body=given({"phone": phone}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, number_hash: str | NotGiven = NOT_GIVEN) -> types.ErasurePage:
        """List erasures. Newest first. Receipts are kept, and contain no personal data."""
        return self._call("GET", "/people/erasures", query=given({"limit": limit, "page": page, "query_id": query_id, "number_hash": number_hash}))

    def get(self, id: str) -> types.ErasureAnswer:
        """Read the receipt of an erasure. The rows found by table, who requested it and when it ended."""
        return self._call("GET", f"/people/erasures/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, number_hash: str | NotGiven = NOT_GIVEN) -> Iterator[types.Erasure]:
        """All entries of `list`, page after page."""
        return each(self._call, "erasures", "GET", "/people/erasures", query=given({"limit": limit, "number_hash": number_hash}))


class SmppAccounts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.SmppAccountsAnswer:
        """List SMPP accounts. With active binds, and the messages pending for a receiver."""
        return self._call("GET", "/smpp/accounts")

    def create(self, *, system_id: str | NotGiven = NOT_GIVEN, password: str | NotGiven = NOT_GIVEN, allow_networks: Sequence[str] | NotGiven = NOT_GIVEN, max_binds: int | NotGiven = NOT_GIVEN, rate_per_s: int | NotGiven = NOT_GIVEN, window_size: int | NotGiven = NOT_GIVEN, alphabet: Literal["gsm7", "latin1", "ascii", "gsm7-packed"] | NotGiven = NOT_GIVEN, receives_texts: bool | NotGiven = NOT_GIVEN) -> types.SmppAccountWithPasswordAnswer:
        """Create an SMPP account. For software that speaks SMPP 3.4: it binds to the operator’s SMPP port with `system_id` and the password of this answer, which is returned only once. Its messages are sent and charged like those of `POST /sms/send`. The operator may allow fewer binds, a lower rate and a smaller window than requested."""
        return self._call("POST", "/smpp/accounts", body=given({"system_id": system_id, "password": password, "allow_networks": allow_networks, "max_binds": max_binds, "rate_per_s": rate_per_s, "window_size": window_size, "alphabet": alphabet, "receives_texts": receives_texts}))

    def delete(self, system_id: str) -> None:
        """Delete an SMPP account. Its binds are closed within a second, and pending messages for it are dropped."""
        self._call("DELETE", f"/smpp/accounts/{quote(system_id, safe='')}")


class Sms:
    def __init__(self, call: Call) -> None:
        self._call = call

    def send(self, *, recipients: str | Sequence[str], sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, personalisation: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, whatsapp: types.WhatsappContent | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Send a message. Sends a text to one or several phone numbers. The charge is taken immediately and refunded for every recipient the message was never submitted for. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is accepted too, and answered like `POST /lists/contact/sends`."""
        return self._call("POST", "/sms/send", body=given({"recipients": recipients, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "personalisation": personalisation, "whatsapp": whatsapp, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at}), keyed=True, idempotency_key=idempotency_key)

    def estimate(self, *, recipients: str | Sequence[str], sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, personalisation: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, whatsapp: types.WhatsappContent | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, explain: bool | NotGiven = NOT_GIVEN) -> types.ExplainedMessageEstimate:
        """Estimate a message. Accepts and validates the body of `POST /sms/send`, but stores, charges and sends nothing. Returns each text, its encoding and pages, the characters that force UCS-2 and their positions, the cost of the text in GSM, and the result of smart encoding. `available_balance` is the balance after the charge; `is_covered` says whether it would be charged. With `explain` the answer says why, as `GET /sms/{id}/explain` does for a message."""
        return self._call("POST", "/sms/estimate", body=given({"recipients": recipients, "sender_id": sender_id, "channel": channel, "content": content, "template_id": template_id, "personalisation": personalisation, "whatsapp": whatsapp, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at, "explain": explain}))

    def get(self, id: str) -> types.MessageWithDeliveries:
        """Read a message and its deliveries. With one delivery per recipient, in their order: its status, its price, and the report of the carrier. The answer to a message with many recipients is streamed, in chunks and without a `content-length`; its fields may be in another order."""
        return self._call("GET", f"/sms/{quote(id, safe='')}")

    def cancel(self, id: str) -> None:
        """Cancel a scheduled message. Every delivery still `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. Deliveries that became due meanwhile are sent; if none is left to cancel, the answer is 409."""
        self._call("DELETE", f"/sms/{quote(id, safe='')}")

    def explain(self, id: str, *, recipient: str | NotGiven = NOT_GIVEN, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN) -> types.Explanation:
        """Explain a message. For each recipient, in sentences and as data: the encoding and pages of the text and the characters that forced UCS-2, the price rule and why it applied, the route, its carriers and why one was chosen or skipped, every attempt with the answer of the carrier, and what was refunded and why. It is computed from what is stored; what is not stored is said to be unknown. Names of carriers and price lists are for operators of the installation, in the console."""
        return self._call("GET", f"/sms/{quote(id, safe='')}/explain", query=given({"recipient": recipient, "limit": limit, "page": page}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN) -> types.SmsListAnswer:
        """List messages. Newest first, all of them or those with your `external_ref` or of a campaign."""
        return self._call("GET", "/sms", query=given({"limit": limit, "page": page, "query_id": query_id, "external_ref": external_ref, "campaign_id": campaign_id}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN) -> Iterator[types.ListedMessage]:
        """All entries of `list`, page after page."""
        return each(self._call, "messages", "GET", "/sms", query=given({"limit": limit, "external_ref": external_ref, "campaign_id": campaign_id}))


class Campaigns:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str | NotGiven = NOT_GIVEN, smartlist_id: str | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, texts: Sequence[types.TextBody] | NotGiven = NOT_GIVEN, sender_id: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | NotGiven = NOT_GIVEN, pace_per_hour: int | NotGiven = NOT_GIVEN, quiet_from: str | NotGiven = NOT_GIVEN, quiet_until: str | NotGiven = NOT_GIVEN, is_incomplete: bool | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.CampaignAnswer:
        """Create a campaign. A message to many people, with a life cycle: `draft` → `estimated` → `scheduled` → `running` → `paused` → `finished` or `canceled`. This stores a draft: nothing is sent or charged before it is estimated and started. With `smartlist_id` the key also needs the scope `lists`."""
        return self._call("POST", "/campaigns", body=given({"name": name, "smartlist_id": smartlist_id, "filters": filters, "content": content, "template_id": template_id, "texts": texts, "sender_id": sender_id, "channel": channel, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at, "pace_per_hour": pace_per_hour, "quiet_from": quiet_from, "quiet_until": quiet_until, "is_incomplete": is_incomplete}), keyed=True, idempotency_key=idempotency_key)

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, status: Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"] | NotGiven = NOT_GIVEN) -> types.CampaignPage:
        """List campaigns. Newest first, optionally of one `status`."""
        return self._call("GET", "/campaigns", query=given({"limit": limit, "page": page, "query_id": query_id, "status": status}))

    def get(self, id: str) -> types.CampaignWithOutcomesAnswer:
        """Read a campaign and its progress. With its estimate, its progress and its outcomes so far, from counters."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}")

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, smartlist_id: str | None | NotGiven = NOT_GIVEN, filters: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, texts: Sequence[types.TextBody] | NotGiven = NOT_GIVEN, sender_id: str | None | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, is_trackable: bool | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, route_class: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, callback: str | NotGiven = NOT_GIVEN, send_at: str | None | NotGiven = NOT_GIVEN, pace_per_hour: int | None | NotGiven = NOT_GIVEN, quiet_from: str | None | NotGiven = NOT_GIVEN, quiet_until: str | None | NotGiven = NOT_GIVEN, is_incomplete: bool | NotGiven = NOT_GIVEN) -> types.CampaignAnswer:
        """Change a campaign that has not started. Fields that are left out stay; null removes a value. A previous estimate becomes invalid."""
        return self._call("PATCH", f"/campaigns/{quote(id, safe='')}", body=given({"name": name, "smartlist_id": smartlist_id, "filters": filters, "content": content, "template_id": template_id, "texts": texts, "sender_id": sender_id, "channel": channel, "external_ref": external_ref, "is_trackable": is_trackable, "smart_encoding": smart_encoding, "route_class": route_class, "callback": callback, "send_at": send_at, "pace_per_hour": pace_per_hour, "quiet_from": quiet_from, "quiet_until": quiet_until, "is_incomplete": is_incomplete}))

    def addRecipients(self, id: str, *, recipients: Sequence[Mapping[str, Any]] | NotGiven = NOT_GIVEN, csv: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.CampaignAnswer:
        """Upload people to a campaign. Adds people to those already uploaded: up to 10,000 as JSON, or up to 8 MiB of CSV (as `csv`, or as the body with content type `text/csv`), in any number of requests. With an `Idempotency-Key` a retry adds nothing. Invalid numbers are accepted: the estimate reports who is left out and why. A number receives the message once, however often it is uploaded."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/recipients", body=given({"recipients": recipients, "csv": csv}), keyed=True, idempotency_key=idempotency_key)

    def clearRecipients(self, id: str) -> None:
        """Remove all uploaded people from a campaign. To upload another list afterwards. Only while the campaign is a draft or estimated."""
        self._call("DELETE", f"/campaigns/{quote(id, safe='')}/recipients")

    def listRecipients(self, id: str, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, outcome: Literal["uploaded", "left_out", "failed"] | NotGiven = NOT_GIVEN, reason: Literal["opted_out", "dnd", "no_number", "bad_number", "twice", "incomplete", "too_long", "no_route", "no_window", "blocked"] | NotGiven = NOT_GIVEN) -> types.CampaignRecipientPage:
        """List some recipients of a campaign. Those that were uploaded, left out by the estimate, or not reached. Not counted: `GET /campaigns/{id}` and its report have the totals. A page may be short, and is continued with `query_id`."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}/recipients", query=given({"limit": limit, "query_id": query_id, "outcome": outcome, "reason": reason}))

    def estimate(self, id: str) -> types.CampaignAnswer:
        """Estimate a campaign. Composes every text, counts its pages and price, and reports who is left out and why. Answers immediately; read the campaign until it is `estimated`. The estimate fixes the recipients. A second request restarts it."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/estimate")

    def test(self, id: str, *, recipients: str | Sequence[str], text: int | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Send a test of a campaign. To at most 5 numbers, with the values of the first person of the list. Charged as any message is."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/test", body=given({"recipients": recipients, "text": text}), keyed=True, idempotency_key=idempotency_key)

    def start(self, id: str, *, people: int, charge: float) -> types.CampaignAnswer:
        """Start a campaign. Immediately, or at its `send_at`. Send the figures of the estimate: 409 if they are not those of the last estimate, 402 if the balance does not cover them. Slices are charged as they are sent; if the balance runs out, the campaign is paused with the reason `insufficient_balance`."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/start", body=given({"people": people, "charge": charge}))

    def pause(self, id: str) -> types.CampaignAnswer:
        """Pause a campaign. No further slice is charged. The few thousand messages accepted before are still sent."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/pause")

    def resume(self, id: str) -> types.CampaignAnswer:
        """Resume a paused campaign. A campaign paused because it would cost more than confirmed continues at the new price."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/resume")

    def cancel(self, id: str) -> types.CampaignAnswer:
        """Cancel a campaign. Messages not yet submitted to a carrier are canceled and refunded within moments; submitted ones are not."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/cancel")

    def copy(self, id: str, *, idempotency_key: str | None = None) -> types.CampaignAnswer:
        """Duplicate a campaign. Creates a draft with its content, settings and recipients, without its start time. With an `Idempotency-Key` a retry returns the same draft."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/copy", keyed=True, idempotency_key=idempotency_key)

    def resend(self, id: str) -> types.CampaignAnswer:
        """Prepare a campaign for the recipients that were not reached. Creates a draft with the same content for the recipients whose delivery failed, to be estimated and started like any other. A repeated request returns the same draft until that is canceled, so that no recipient gets it twice. Recipients whose outcome is `unknown` may have received the message and are not included. 409 while the campaign is running, or if no delivery failed."""
        return self._call("POST", f"/campaigns/{quote(id, safe='')}/resend")

    def report(self, id: str) -> types.CampaignReportAnswer:
        """Read the report of a campaign. Deliveries, failures by reason and operator, clicks, replies, opt-outs and cost, over time, and the best of several texts."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}/report")

    def exportReport(self, id: str, *, outcome: Literal["left_out", "failed"] | NotGiven = NOT_GIVEN) -> str:
        """Download the recipients of a campaign as CSV. What each person received, and who was left out and why; or only some of them."""
        return self._call("GET", f"/campaigns/{quote(id, safe='')}/report.csv", query=given({"outcome": outcome}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, status: Literal["draft", "estimating", "estimated", "scheduled", "running", "paused", "finished", "canceled"] | NotGiven = NOT_GIVEN) -> Iterator[types.Campaign]:
        """All entries of `list`, page after page."""
        return each(self._call, "campaigns", "GET", "/campaigns", query=given({"limit": limit, "status": status}))


class Senders:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.SenderPage:
        """List your senders. Newest first, with the decision of the operator on each."""
        return self._call("GET", "/senders", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, sender_id: str, class_: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, note: str | NotGiven = NOT_GIVEN) -> types.SenderAnswer:
        """Register a sender. `pending` until the operator approves or rejects it. In live mode only approved senders are used; in the sandbox, and with a test key, any."""
        return self._call("POST", "/senders", body=given({"sender_id": sender_id, "class": class_, "note": note}))

    def get(self, id: str) -> types.SenderAnswer:
        """Read a sender. With the decision of the operator."""
        return self._call("GET", f"/senders/{quote(id, safe='')}")

    def update(self, id: str, *, sender_id: str | NotGiven = NOT_GIVEN, class_: Literal["transactional", "promotional"] | NotGiven = NOT_GIVEN, note: str | None | NotGiven = NOT_GIVEN) -> types.SenderAnswer:
        """Change a sender. A new `sender_id` or `class` is `pending` again. Fields that are left out stay."""
        return self._call("PATCH", f"/senders/{quote(id, safe='')}", body=given({"sender_id": sender_id, "class": class_, "note": note}))

    def delete(self, id: str) -> None:
        """Remove a sender. Rejected while it is your default sender."""
        self._call("DELETE", f"/senders/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.RegisteredSender]:
        """All entries of `list`, page after page."""
        return each(self._call, "senders", "GET", "/senders", query=given({"limit": limit}))


class Optouts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> types.OptoutPage:
        """List opt-outs. Newest first: people who answered STOP, and numbers you have blocked."""
        return self._call("GET", "/optouts", query=given({"limit": limit, "page": page, "query_id": query_id, "recipient": recipient}))

    def create(self, *, recipients: str | Sequence[str]) -> types.OptoutsAnswer:
        """Block numbers. Messages to them end `rejected` with the code `opted_out` and are not charged, over any API. One-time passwords that a person requests are still sent."""
        return self._call("POST", "/optouts", body=given({"recipients": recipients}))

    def delete(self, id: str) -> None:
        """Remove an opt-out. By the id of the entry, or by the phone number."""
        self._call("DELETE", f"/optouts/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> Iterator[types.Optout]:
        """All entries of `list`, page after page."""
        return each(self._call, "optouts", "GET", "/optouts", query=given({"limit": limit, "recipient": recipient}))


class Inbound:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN) -> types.InboundPage:
        """List inbound texts. Newest first: all of them, or those from one number."""
        return self._call("GET", "/inbound", query=given({"limit": limit, "page": page, "query_id": query_id, "from": from_}))

    def get(self, id: str) -> types.InboundAnswer:
        """Read an inbound text. With the keyword recognised in it."""
        return self._call("GET", f"/inbound/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN) -> Iterator[types.InboundMessage]:
        """All entries of `list`, page after page."""
        return each(self._call, "inbound", "GET", "/inbound", query=given({"limit": limit, "from": from_}))


class Media:
    def __init__(self, call: Call) -> None:
        self._call = call

    def upload(self, content: bytes, *, filename: str | NotGiven = NOT_GIVEN, content_type: str = "application/octet-stream") -> types.Media:
        """Upload a file. A picture, video, recording or document for messages on WhatsApp, which name it by `id`. The body is the file and `Content-Type` its type, which its content must confirm (`application/octet-stream`: the content decides). JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and Ogg with Opus up to 16 MB, PDF, Office documents and text up to 100 MB, WebP as a sticker up to 100 KB, animated 500 KB."""
        return self._call("POST", "/media", query=given({"filename": filename}), file=(content, content_type))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, direction: Literal["in", "out"] | NotGiven = NOT_GIVEN) -> types.MediaPage:
        """List files. Newest first: those you uploaded, and those that people sent."""
        return self._call("GET", "/media", query=given({"limit": limit, "page": page, "query_id": query_id, "direction": direction}))

    def get(self, id: str) -> types.Media:
        """Read what a file is. Type, size, checksum and state."""
        return self._call("GET", f"/media/{quote(id, safe='')}")

    def delete(self, id: str) -> None:
        """Delete a file. Messages that wait to be sent with it are rejected and refunded. Meta deletes its copy within 30 days."""
        self._call("DELETE", f"/media/{quote(id, safe='')}")

    def content(self, id: str) -> bytes:
        """Download a file. A received file once it is `stored`."""
        return self._call("GET", f"/media/{quote(id, safe='')}/content", as_bytes=True)

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, direction: Literal["in", "out"] | NotGiven = NOT_GIVEN) -> Iterator[types.Media]:
        """All entries of `list`, page after page."""
        return each(self._call, "media", "GET", "/media", query=given({"limit": limit, "direction": direction}))


class Conversations:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.notes = ConversationsNotes(call)

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, status: Literal["open", "closed"] | NotGiven = NOT_GIVEN, unread: bool | NotGiven = NOT_GIVEN, assignee_id: str | NotGiven = NOT_GIVEN, q: str | NotGiven = NOT_GIVEN) -> types.ConversationPage:
        """List conversations. One for each number that has texted you, the one with the newest text or reply first. A conversation starts with an inbound text. Other messages to the number, such as campaigns, are part of its thread and do not move it up. The filters can be combined; `unread=true&limit=1` counts the conversations with unread texts."""
        return self._call("GET", "/conversations", query=given({"limit": limit, "page": page, "query_id": query_id, "status": status, "unread": unread, "assignee_id": assignee_id, "q": q}))

    def get(self, phone: str, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.Thread:
        """Read a conversation. All messages in both directions and your notes, newest first, with the status of those you sent, and whether you can reply. The search is limited to half a second; `searched_until` then says how far it came, and `query_id` continues it."""
        return self._call("GET", f"/conversations/{quote(phone, safe='')}", query=given({"limit": limit, "query_id": query_id}))

    def answer(self, phone: str, *, content: str | NotGiven = NOT_GIVEN, template_id: str | NotGiven = NOT_GIVEN, substitutions: Mapping[str, Any] | NotGiven = NOT_GIVEN, whatsapp: types.WhatsappContent | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.SentMessage:
        """Reply in a conversation. Sends a text on the channel the person last used, from the number or name they wrote to if it may send. Priced, charged and reported like `POST /sms/send`."""
        return self._call("POST", f"/conversations/{quote(phone, safe='')}/messages", body=given({"content": content, "template_id": template_id, "substitutions": substitutions, "whatsapp": whatsapp, "external_ref": external_ref}), keyed=True, idempotency_key=idempotency_key)

    def read(self, phone: str, *, received: int | NotGiven = NOT_GIVEN) -> None:
        """Mark a conversation as read. For all users of the organisation. Send `received` as you have read it, so that a text that arrives meanwhile stays unread."""
        self._call("POST", f"/conversations/{quote(phone, safe='')}/read", body=given({"received": received}))

    def assignees(self) -> types.Assignees:
        """List assignees. The active users of your console whose role lets them reply, by name."""
        return self._call("GET", "/conversations/assignees")

    def assign(self, phone: str, *, assignee_id: str | None, current_assignee_id: str | None | NotGiven = NOT_GIVEN) -> None:
        """Assign a conversation. To a user, or to no one. Send `current_assignee_id` so that of two users who take the same conversation one gets a 409."""
        self._call("POST", f"/conversations/{quote(phone, safe='')}/assign", body=given({"assignee_id": assignee_id, "current_assignee_id": current_assignee_id}))

    def close(self, phone: str, *, received: int | NotGiven = NOT_GIVEN) -> None:
        """Close a conversation. Also marks its texts as read. The next text of the person reopens it. Send `received` as you have read it, so that a text that arrives meanwhile is not closed unread."""
        self._call("POST", f"/conversations/{quote(phone, safe='')}/close", body=given({"received": received}))

    def reopen(self, phone: str) -> None:
        """Reopen a conversation. An open one stays open."""
        self._call("POST", f"/conversations/{quote(phone, safe='')}/reopen")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, status: Literal["open", "closed"] | NotGiven = NOT_GIVEN, unread: bool | NotGiven = NOT_GIVEN, assignee_id: str | NotGiven = NOT_GIVEN, q: str | NotGiven = NOT_GIVEN) -> Iterator[types.ListedConversation]:
        """All entries of `list`, page after page."""
        return each(self._call, "conversations", "GET", "/conversations", query=given({"limit": limit, "status": status, "unread": unread, "assignee_id": assignee_id, "q": q}))


class Templates:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, *, name: str, content: str, whatsapp: types.WhatsappTemplate | NotGiven = NOT_GIVEN) -> types.Template:
        """Create a template. A reusable text, sent with `template_id` in `POST /sms/send`. Placeholders in double braces are filled per recipient from `personalisation`, or from the columns of the contact list when it is sent to a smartlist."""
        return self._call("POST", "/templates", body=given({"name": name, "content": content, "whatsapp": whatsapp}))

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.TemplatePage:
        """List templates. Newest first, each in its newest version."""
        return self._call("GET", "/templates", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def get(self, id: str, *, version: int | NotGiven = NOT_GIVEN) -> types.Template:
        """Read a template. In its newest version, or in an older one."""
        return self._call("GET", f"/templates/{quote(id, safe='')}", query=given({"version": version}))

    def update(self, id: str, *, name: str | NotGiven = NOT_GIVEN, content: str | NotGiven = NOT_GIVEN, whatsapp: Mapping[str, Any] | None | NotGiven = NOT_GIVEN) -> types.Template:
        """Change a template. Every change creates a new version. Sent messages keep theirs."""
        return self._call("PATCH", f"/templates/{quote(id, safe='')}", body=given({"name": name, "content": content, "whatsapp": whatsapp}))

    def delete(self, id: str) -> None:
        """Delete a template. With all its versions. Sent messages keep their text."""
        self._call("DELETE", f"/templates/{quote(id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Template]:
        """All entries of `list`, page after page."""
        return each(self._call, "templates", "GET", "/templates", query=given({"limit": limit}))


class Whatsapp:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.templates = WhatsappTemplates(call)



class Otp:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.settings = OtpSettings(call)
        self.guard = OtpGuard(call)

    def request(self, *, recipient: str, length: int | NotGiven = NOT_GIVEN, expires_in: int | NotGiven = NOT_GIVEN, token: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.OtpRecord:
        """Send a token. Sends a one-time password to a phone number and charges the price of a message on that channel, and the fees for OTPs that the operator may have agreed with you: the one for the verification is refunded if the OTP ends unverified. No answer contains the token; the message is not sent after the token has expired. In live mode a number gets at most five in ten minutes and twenty in a day, and prefixes whose tokens are never verified are slowed, then blocked: 429 with `Retry-After` and the reason."""
        return self._call("POST", "/otp/request_token", body=given({"recipient": recipient, "length": length, "expires_in": expires_in, "token": token, "channel": channel}), keyed=True, idempotency_key=idempotency_key)

    def verify(self, *, id: str, token: str) -> types.OtpRecord:
        """Verify a token. The correct token returns the record with status 4, once. Everything else is a 404 whose `errors[0].type` gives the reason: `invalid`, `expired`, `used`, `revoked`, `max_attempts`, or `not_found` for the id. Five wrong attempts end the OTP. In live mode twenty wrong attempts in a day, over all OTPs of a number, are `max_attempts` too."""
        return self._call("POST", "/otp/verify", body=given({"id": id, "token": token}))

    def get(self, id: str) -> types.OtpRecord:
        """Read an OTP. The current status: an OTP past its time is EXPIRED. The token is never returned."""
        return self._call("GET", f"/otp/{quote(id, safe='')}")

    def revoke(self, id: str) -> None:
        """Revoke an OTP. It can no longer be verified. A verified OTP stays verified, and the answer is 409. An expired, failed or revoked OTP stays as it is, and the answer is 204."""
        self._call("DELETE", f"/otp/{quote(id, safe='')}")

    def list(self, *, recipient: str) -> Sequence[types.OtpRecord]:
        """List the OTPs of a recipient. Newest first, at most 1,000. The number is read from the query, the path (`/otp/get-by-recipient/2348031234567`) or a JSON body, and may also be named `phone` or `to`; `get_by_recipient` is an alias of the path."""
        return self._call("GET", "/otp/get-by-recipient", query=given({"recipient": recipient}))


class Airtime:
    def __init__(self, call: Call) -> None:
        self._call = call

    def buy(self, *, network: Literal["Airtel", "MTN", "Glo", "9mobile", "NTEL"], amount: float, recipient: str, callback: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, idempotency_key: str | None = None) -> types.BoughtPurchase:
        """Buy airtime. Charges the amount immediately and answers `pending`; the outcome is posted to your `callback`, or read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount within five minutes ends `duplicate`, unless the requests carry different `Idempotency-Key`s or `external_ref`s; a first purchase that failed does not count. If the vendor does not report a clear outcome, the purchase stays `sent`, and is neither refunded nor bought again, until the vendor or the operator settles it."""
        return self._call("POST", "/airtime/buy", body=given({"network": network, "amount": amount, "recipient": recipient, "callback": callback, "external_ref": external_ref}), keyed=True, idempotency_key=idempotency_key)

    def get(self, id: str) -> types.ReadPurchase:
        """Read a purchase. Its status and charge, and the reason if it was refunded."""
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
        """Look up many phone numbers. One answer per number, in the given order. An invalid number rejects the request, unless `skip_invalid` is set."""
        return self._call("POST", "/lookup/phones", body=given({"phones": phones, "skip_invalid": skip_invalid}), keyed=True, idempotency_key=idempotency_key)


class Contacts:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.rows = ContactsRows(call)
        self.columns = ContactsColumns(call)
        self.conversions = ContactsConversions(call)
        self.changes = ContactsChanges(call)
        self.smartlists = ContactsSmartlists(call)
        self.imports = ContactsImports(call)
        self.sends = ContactsSends(call)

    def get(self) -> types.ContactTable:
        """Read the contact table. Its columns. An organisation without a table gets one with the columns Name, Email and Mobile."""
        return self._call("GET", "/lists/contact")


class People:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.erasures = PeopleErasures(call)

    def export(self, *, phone: str) -> types.PersonExport:
        """Export the data of a number. As JSON, table by table, for a person who requests their data (right of access). A POST, so that the number is in no URL and no log. Records about several people contain only the part about this one. The export scans all your data, so only one runs at a time: 429 while another is being written."""
        return self._call("POST", "/people/export", body=given({"phone": phone}))


class Balance:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "otp", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, group: Literal["campaign"] | NotGiven = NOT_GIVEN) -> types.AccountPage:
        """Read the balance and its ledger. The balance is the sum of all ledger entries. Lists entries newest first: all of them, or those of a period, a kind, a message or a reference of yours. With a period, `opening_balance` and `closing_balance` are the balances before and after it, regardless of other filters."""
        return self._call("GET", "/balance", query=given({"limit": limit, "page": page, "query_id": query_id, "from": from_, "until": until, "external_ref": external_ref, "campaign_id": campaign_id, "kind": kind, "subject_id": subject_id, "group": group}))

    def export(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "otp", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN) -> str:
        """Download the ledger as CSV. All entries that `GET /balance` lists, newest first."""
        return self._call("GET", "/balance.csv", query=given({"from": from_, "until": until, "external_ref": external_ref, "campaign_id": campaign_id, "kind": kind, "subject_id": subject_id}))

    def messages(self, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN, group: Literal["campaign"] | NotGiven = NOT_GIVEN) -> types.MessageCostPage:
        """List the cost of messages. One entry per message accepted in the period, newest first: what was charged, refunded since, and remains. Messages are deleted when their retention ends; the ledger stays."""
        return self._call("GET", "/balance/messages", query=given({"limit": limit, "query_id": query_id, "from": from_, "until": until, "external_ref": external_ref, "campaign_id": campaign_id, "group": group}))

    def exportMessages(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN) -> str:
        """Download the cost of messages as CSV. Everything that `GET /balance/messages` lists, newest first."""
        return self._call("GET", "/balance/messages.csv", query=given({"from": from_, "until": until, "external_ref": external_ref, "campaign_id": campaign_id}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, external_ref: str | NotGiven = NOT_GIVEN, campaign_id: str | NotGiven = NOT_GIVEN, kind: Literal["opening", "top_up", "adjustment", "message", "otp", "airtime", "lookup", "refund"] | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, group: Literal["campaign"] | NotGiven = NOT_GIVEN) -> Iterator[types.LedgerEntry]:
        """All entries of `get`, page after page."""
        return each(self._call, "entries", "GET", "/balance", query=given({"limit": limit, "from": from_, "until": until, "external_ref": external_ref, "campaign_id": campaign_id, "kind": kind, "subject_id": subject_id, "group": group}))


class Requests:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, status: str | NotGiven = NOT_GIVEN, path: str | NotGiven = NOT_GIVEN, key_id: str | NotGiven = NOT_GIVEN, request_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN) -> types.RequestPage:
        """List requests. Requests made with your keys in the last days, newest first, visible a second or two after their answer. Of more than twenty requests in a second, failures are kept first and a sample of the others: `shown` and `seen` count them. A crash of the service loses the last second of the log."""
        return self._call("GET", "/requests", query=given({"limit": limit, "query_id": query_id, "status": status, "path": path, "key_id": key_id, "request_id": request_id, "from": from_, "until": until}))

    def get(self, request_id: str) -> types.RequestAnswer:
        """Read a request. With the bodies of request and answer, each cut at 4,096 characters. One-time passwords, keys, passwords and other secrets are masked, and headers are not stored."""
        return self._call("GET", f"/requests/{quote(request_id, safe='')}")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, status: str | NotGiven = NOT_GIVEN, path: str | NotGiven = NOT_GIVEN, key_id: str | NotGiven = NOT_GIVEN, request_id: str | NotGiven = NOT_GIVEN, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN) -> Iterator[types.LoggedRequest]:
        """All entries of `list`, page after page."""
        return each(self._call, "requests", "GET", "/requests", query=given({"limit": limit, "status": status, "path": path, "key_id": key_id, "request_id": request_id, "from": from_, "until": until}))


class Analytics:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, by: Literal["channel", "country", "operator", "sender", "route", "error", "template"] | NotGiven = NOT_GIVEN, value: str | NotGiven = NOT_GIVEN, interval: Literal["hour", "day", "month"] | NotGiven = NOT_GIVEN, compare: Literal["previous_period", "previous_year"] | NotGiven = NOT_GIVEN) -> types.AnalyticsAnswer:
        """Read analytics of messages and one-time passwords. For any range of days, in steps of an hour, a day or a month of your time zone, by channel, country, operator, sender, route, error or template, and compared with an earlier range. A message counts in the hour it was accepted, so rates are exact for any range; figures of the last days still change while reports arrive. They come from counters that are written within a second, and stay when messages are deleted or people are erased. A killed process loses at most a second of them; the ledger is exact."""
        return self._call("GET", "/analytics", query=given({"from": from_, "until": until, "by": by, "value": value, "interval": interval, "compare": compare}))

    def export(self, *, from_: str | NotGiven = NOT_GIVEN, until: str | NotGiven = NOT_GIVEN, by: Literal["channel", "country", "operator", "sender", "route", "error", "template"] | NotGiven = NOT_GIVEN, value: str | NotGiven = NOT_GIVEN, interval: Literal["hour", "day", "month"] | NotGiven = NOT_GIVEN, compare: Literal["previous_period", "previous_year"] | NotGiven = NOT_GIVEN) -> str:
        """Download analytics as CSV. The same figures in UTF-8 with a byte order mark: a line for each value of `by`, or without it for each step; with `compare`, the earlier figures in separate columns."""
        return self._call("GET", "/analytics.csv", query=given({"from": from_, "until": until, "by": by, "value": value, "interval": interval, "compare": compare}))


class Settings:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self) -> types.OrganisationSettingsAnswer:
        """Read your settings. Settings of your organisation, including those of the operator."""
        return self._call("GET", "/settings")

    def update(self, *, name: str | NotGiven = NOT_GIVEN, default_country: str | NotGiven = NOT_GIVEN, default_sender_id: str | None | NotGiven = NOT_GIVEN, smart_encoding: bool | NotGiven = NOT_GIVEN, inbound_url: str | None | NotGiven = NOT_GIVEN, quiet_from: str | None | NotGiven = NOT_GIVEN, quiet_until: str | None | NotGiven = NOT_GIVEN, whatsapp_fallback: bool | NotGiven = NOT_GIVEN, time_zone: str | None | NotGiven = NOT_GIVEN, confirm_above: int | None | NotGiven = NOT_GIVEN, low_balance: float | None | NotGiven = NOT_GIVEN) -> types.OrganisationSettingsAnswer:
        """Change your settings. Fields that are left out stay; null removes an optional value. A change takes effect within a second on every process. Only the operator sets the currency."""
        return self._call("PATCH", "/settings", body=given({"name": name, "default_country": default_country, "default_sender_id": default_sender_id, "smart_encoding": smart_encoding, "inbound_url": inbound_url, "quiet_from": quiet_from, "quiet_until": quiet_until, "whatsapp_fallback": whatsapp_fallback, "time_zone": time_zone, "confirm_above": confirm_above, "low_balance": low_balance}))


class Callbacks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, webhook_id: str | NotGiven = NOT_GIVEN, event_id: str | NotGiven = NOT_GIVEN, status: Literal["pending", "delivered", "stopped", "failed"] | NotGiven = NOT_GIVEN) -> types.CallbackPage:
        """List callbacks. Newest first: all of them, or those of one message, one webhook, one `webhook-id`, or one status."""
        return self._call("GET", "/callbacks", query=given({"limit": limit, "page": page, "query_id": query_id, "subject_id": subject_id, "webhook_id": webhook_id, "event_id": event_id, "status": status}))

    def get(self, id: str) -> types.CallbackWithAttemptsAnswer:
        """Read a callback with its attempts. With the body as it was posted, and every attempt: its time, its duration, and the answer of your endpoint."""
        return self._call("GET", f"/callbacks/{quote(id, safe='')}")

    def replay(self, id: str) -> types.CallbackAnswer:
        """Resend a callback. Immediately, with the same `webhook-id` and body, whatever its status. A callback of a registered webhook goes to the current URL of that webhook."""
        return self._call("POST", f"/callbacks/{quote(id, safe='')}/replay")

    def each(self, *, limit: int | NotGiven = NOT_GIVEN, subject_id: str | NotGiven = NOT_GIVEN, webhook_id: str | NotGiven = NOT_GIVEN, event_id: str | NotGiven = NOT_GIVEN, status: Literal["pending", "delivered", "stopped", "failed"] | NotGiven = NOT_GIVEN) -> Iterator[types.ListedCallback]:
        """All entries of `list`, page after page."""
        return each(self._call, "callbacks", "GET", "/callbacks", query=given({"limit": limit, "subject_id": subject_id, "webhook_id": webhook_id, "event_id": event_id, "status": status}))


class Webhooks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN) -> types.WebhookPage:
        """List webhooks. Newest first. Secrets are not returned."""
        return self._call("GET", "/webhooks", query=given({"limit": limit, "page": page, "query_id": query_id}))

    def create(self, *, url: str, events: Sequence[str] | NotGiven = NOT_GIVEN, format: Literal["standard", "simpu", "twilio"] | NotGiven = NOT_GIVEN, description: str | NotGiven = NOT_GIVEN, enabled: bool | NotGiven = NOT_GIVEN) -> types.WebhookWithSecretAnswer:
        """Register a webhook. Every later event that matches its filter is posted there, in addition to the `callback` of a request. An event sent to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is returned only once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why."""
        return self._call("POST", "/webhooks", body=given({"url": url, "events": events, "format": format, "description": description, "enabled": enabled}))

    def get(self, id: str) -> types.WebhookAnswer:
        """Read a webhook. With the reason and start of its failures, if any. Its secret is not returned."""
        return self._call("GET", f"/webhooks/{quote(id, safe='')}")

    def update(self, id: str, *, url: str | NotGiven = NOT_GIVEN, events: Sequence[str] | NotGiven = NOT_GIVEN, description: str | None | NotGiven = NOT_GIVEN, enabled: bool | NotGiven = NOT_GIVEN) -> types.WebhookAnswer:
        """Change a webhook. Fields that are left out stay. Pending callbacks go to the new `url`. While a webhook is disabled no events are stored for it, and pending callbacks are stopped when they become due; they can be resent later. A new `url` of a Twilio-style webhook also needs the scope `sms`."""
        return self._call("PATCH", f"/webhooks/{quote(id, safe='')}", body=given({"url": url, "events": events, "description": description, "enabled": enabled}))

    def delete(self, id: str) -> None:
        """Delete a webhook. Its pending callbacks become `stopped`. One in flight may still arrive."""
        self._call("DELETE", f"/webhooks/{quote(id, safe='')}")

    def rotate(self, id: str, *, overlap_hours: int | NotGiven = NOT_GIVEN) -> types.WebhookWithSecretAnswer:
        """Rotate the secret of a webhook. For `overlap_hours` posts carry two signatures, of the new secret and of the previous one, so that your endpoint can switch. 0 revokes the old one immediately."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/rotate", body=given({"overlap_hours": overlap_hours}))

    def test(self, id: str) -> types.CallbackAnswer:
        """Send a test event. Posts one event of type `webhook.test`, regardless of the filter and even while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer returns its outcome."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/test")

    def replay(self, id: str, *, since: str, until: str | NotGiven = NOT_GIVEN) -> types.WebhooksReplayAnswer:
        """Resend failed events. Requeues the callbacks of this webhook that failed or were stopped in a period, with the same `webhook-id` and body. Up to 10,000 per request: repeat it until `complete` is true."""
        return self._call("POST", f"/webhooks/{quote(id, safe='')}/replay", body=given({"since": since, "until": until}))

    def each(self, *, limit: int | NotGiven = NOT_GIVEN) -> Iterator[types.Webhook]:
        """All entries of `list`, page after page."""
        return each(self._call, "webhooks", "GET", "/webhooks", query=given({"limit": limit}))


class Hooks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self) -> types.HooksAnswer:
        """List hooks. Secrets are not returned."""
        return self._call("GET", "/hooks")

    def create(self, *, kind: Literal["supabase", "logto", "authentik", "zitadel", "kratos", "keycloak", "fusionauth", "listmonk", "novu"], secret: str | NotGiven = NOT_GIVEN) -> types.HookWithSecretAnswer:
        """Create a hook. For identity servers and others that post messages in a format of their own: `POST /hooks/{name}` accepts their requests, signed or authenticated with the secret of this answer, which is returned only once. One-time passwords have the priority, limits and guard of our own; the other side verifies them, and `POST /hooks/{name}/verified` with `{"to": …}` reports a success to the guard."""
        return self._call("POST", "/hooks", body=given({"kind": kind, "secret": secret}))

    def delete(self, name: str) -> None:
        """Delete a hook. Later requests to it are rejected."""
        self._call("DELETE", f"/hooks/{quote(name, safe='')}")


class Smpp:
    def __init__(self, call: Call) -> None:
        self._call = call
        self.accounts = SmppAccounts(call)



class Sandbox:
    def __init__(self, call: Call) -> None:
        self._call = call

    def messages(self, *, limit: int | NotGiven = NOT_GIVEN, page: int | NotGiven = NOT_GIVEN, query_id: str | NotGiven = NOT_GIVEN, recipient: str | NotGiven = NOT_GIVEN) -> types.SandboxPage:
        """List messages on virtual handsets. In sandbox mode, or with a test key. One-time passwords are in clear text, as on a phone."""
        return self._call("GET", "/sandbox/messages", query=given({"limit": limit, "page": page, "query_id": query_id, "recipient": recipient}))

    def reply(self, *, from_: str, to: str, text: str | NotGiven = NOT_GIVEN, channel: Literal["sms", "whatsapp"] | NotGiven = NOT_GIVEN, whatsapp: types.HandsetContent | NotGiven = NOT_GIVEN, media_id: str | NotGiven = NOT_GIVEN) -> types.InboundAnswer:
        """Reply from a virtual handset. In sandbox mode, or with a test key. The text is processed like one from a real handset: stored, posted to your inbound URL, and STOP blocks the number. Real handsets cannot reply to a name such as `Gangan`; these can."""
        return self._call("POST", "/sandbox/reply", body=given({"from": from_, "to": to, "text": text, "channel": channel, "whatsapp": whatsapp, "media_id": media_id}))

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
        self.media = Media(call)
        self.conversations = Conversations(call)
        self.templates = Templates(call)
        self.whatsapp = Whatsapp(call)
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
