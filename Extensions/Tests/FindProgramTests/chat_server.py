"""A server with chat completions on this machine, for tests: `chat_server.py FOLDER VERDICT`. It writes its port and what it got there."""

import http.server
import json
import sys

folder, verdict = sys.argv[1:3]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(folder + "/requests", "a") as file:
            file.write(json.dumps(body) + "\n")
        said = {"seen": "a box", "verdict": verdict, "confidence": 0.9, "reason": "same thing", "text": None}
        answer = {"choices": [{"finish_reason": "stop", "message": {"content": json.dumps(said)}}],
                  "usage": {"prompt_tokens": 500, "completion_tokens": 40}}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(folder + "/port", "w") as file:
    file.write(f"{server.server_port}\n")
server.serve_forever()
