import json
import os

from gangan import ConnectionFailed, Gangan, InvalidRequestError, NotFoundError, WebhookVerificationError

# The same in every language: the requests, and the results on one line of JSON.
key, url = os.environ["GANGAN_API_KEY"], os.environ["GANGAN_URL"]
gangan = Gangan(key, url)
result = {}

ids = [
    gangan.sms.send(recipients="2348031234567", content=f"No. {n}", external_ref="story")["id"] for n in range(1, 4)
]
found = [message["id"] for message in gangan.sms.each(external_ref="story", limit=2)]
result["paged"] = found == ids[::-1]
result["read"] = gangan.sms.get(ids[0])["content"]

otp = gangan.otp.request(recipient="2348031234567")
try:
    gangan.otp.verify(id=otp["id"], token="wrong1")
except NotFoundError as fault:
    result["otp"] = [fault.status, fault.faults[0]["type"]]
result["airtime"] = gangan.airtime.buy(network="MTN", amount=100, recipient="2348031234567")["status"]
result["lookup"] = gangan.lookup.phone(phone="08031234567")["msisdn"]

row = gangan.contacts.rows.create(columns={"Name": "Ada", "Mobile": "08031234567"})["row"]
filters = [{"name": "Name", "operator": "equal", "value": "ada"}]
result["rows"] = row["id"] in [one["id"] for one in gangan.contacts.rows.each(filters=filters)]
result["deleted"] = gangan.contacts.rows.delete(row["id"])
result["csv"] = "Mobile" in gangan.contacts.rows.export().split("\n")[0]

try:
    gangan.sms.send(recipients="nobody", content="")
except InvalidRequestError as fault:
    result["refused"] = sorted(one["field"] for one in fault.faults) if fault.request_id else []

# The first answer to each is lost on its way; the balance tells that it was charged once.
before = gangan.balance.get()["balance"]
lossy = Gangan(key, os.environ["LOSSY_URL"])
charge = lossy.sms.send(recipients="2348031234567", content="Once")["meta"]["estimate"]["charge"]
result["once"] = before - gangan.balance.get()["balance"] == charge
try:
    Gangan(key, "http://127.0.0.1:9", tries=1).sms.list()
except ConnectionFailed:
    result["unreachable"] = True

posted = json.loads(os.environ["POSTED"])
body, headers, secret = posted["body"], posted["headers"], posted["secret"]
result["event"] = gangan.webhooks.verify(body, headers, secret)["type"]
try:
    gangan.webhooks.verify(body + " ", headers, secret)
except WebhookVerificationError as fault:
    result["forged"] = type(fault).__name__
print(json.dumps(result))
