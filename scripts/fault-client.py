"""Makes one call with the standard library, and prints what the client sees. Started by scripts/fault-clients.ts."""

import http.client
import json
import ssl
import sys


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def ask(host, port, path, headers, seconds, ca, cert, key):
    context = ssl.create_default_context(cafile=ca)
    context.load_cert_chain(cert, key)
    connection = http.client.HTTPSConnection(host, port, timeout=seconds, context=context)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    return {
        "status": answer.status,
        "type": answer.headers.get("Content-Type", ""),
        "isEmpty": text == "",
        "isJson": is_json(text),
    }


try:
    seen = ask(**json.loads(sys.argv[1]))
except Exception as error:
    seen = {"code": type(error).__name__, "message": str(error)}
print(json.dumps(seen))
