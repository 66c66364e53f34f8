"""A server for webhooks: it writes what it gets to a file, and then answers.

hook.py PORT FILE [FAILURES]: of ten requests, so many get an error in place of an answer, in turn before and after they are written.
"""

import http.server
import json
import os
import sys

port, path, failures = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0
count = 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global count
        count += 1
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fails = count % 10 < failures
        if not fails or count % 2:
            with open(path, "a") as file:
                record = {
                    "id": self.headers["Idempotency-Key"],
                    "authorization": self.headers["Authorization"],
                    "event": json.loads(body),
                }
                file.write(json.dumps(record) + "\n")
                file.flush()
                os.fsync(file.fileno())
        self.send_response(503 if fails else 204)
        if fails:
            self.send_header("Retry-After", "0")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
