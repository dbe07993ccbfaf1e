import { type BuiltInInput, DATA, debian, printed, shellInstall, signalled } from './parts.ts'

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>It works</title></head>
  <body><h1>It works</h1><p>Replace public/index.html by your own page.</p></body>
</html>`

export const website: BuiltInInput = {
  format: 'lodge/v1',
  uuid: 'c3b24b05-1a3f-4eda-a54d-fb7006651668',
  name: 'Static website',
  author: 'Lodge',
  description: 'Serves the files of the folder public over HTTP.',
  tags: ['web'],
  icon: 'globe',
  connection: ['In a browser: http://{{server.address}}:{{server.port}}'],
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('busybox') }],
    startup: {
      kind: 'argv',
      command: [
        '/bin/busybox',
        'httpd',
        '-f',
        '-v',
        '-p',
        '{{SERVER_PORT}}',
        '-h',
        `${DATA}/public`,
      ],
    },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { tcpPort: 'primary', timeoutSeconds: 60 },
    stop: signalled('SIGTERM', 10),
    install: shellInstall(
      ['busybox'],
      `
mkdir -p public
if [ ! -e public/index.html ]; then
cat > public/index.html <<'PAGE'
${page}
PAGE
fi`,
    ),
    port: { protocol: 'tcp', containerPort: 8080 },
    limits: { memoryMb: 64, cpuPercent: 50, diskMb: 1024 },
  },
}

const scriptRule = (extensions: string) => [
  { rule: 'required' as const },
  { rule: 'max' as const, value: 200 },
  {
    rule: 'regex' as const,
    pattern: `^[A-Za-z0-9_][A-Za-z0-9_./-]*\\.(${extensions})$`,
    flags: '',
  },
]

export const nodeProgram: BuiltInInput = {
  format: 'lodge/v1',
  uuid: 'ddeb6d39-a726-45ac-b7a2-782245ceaddb',
  name: 'Node.js program',
  author: 'Lodge',
  description: 'Runs a JavaScript program. It finds its port in the variable SERVER_PORT.',
  tags: ['web', 'program'],
  icon: 'nodedotjs',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('nodejs', 'ca-certificates') }],
    startup: { kind: 'argv', command: ['/usr/bin/node', `${DATA}/{{MAIN_FILE}}`] },
    environment: { HOME: DATA, NODE_ENV: 'production' },
    dataPath: DATA,
    proofOfLife: { tcpPort: 'primary', timeoutSeconds: 120 },
    stop: signalled('SIGTERM', 30),
    install: shellInstall(
      [],
      `
if [ ! -e index.mjs ]; then
cat > index.mjs <<'PROGRAM'
import { createServer } from 'node:http'

const port = Number(process.env.SERVER_PORT)
const server = createServer((request, response) => {
  console.log(request.method + ' ' + request.url)
  response.end('Hello from ' + process.version + '\\n')
})
server.listen(port, () => console.log('Listening on port ' + port))
process.on('SIGTERM', () => {
  server.close(() => process.exit(0))
  server.closeAllConnections()
})
PROGRAM
fi`,
    ),
    port: { protocol: 'tcp' },
    limits: { memoryMb: 256, cpuPercent: 100, diskMb: 1024 },
  },
  variables: [
    {
      name: 'Program',
      description: 'The file to run.',
      env: 'MAIN_FILE',
      default: 'index.mjs',
      rules: scriptRule('js|mjs|cjs'),
    },
  ],
}

export const pythonProgram: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '3a8c1537-ff04-43c3-a22a-c2db2559f9be',
  name: 'Python program',
  author: 'Lodge',
  description: 'Runs a Python program. It finds its port in the variable SERVER_PORT.',
  tags: ['web', 'program'],
  icon: 'python',
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('python3', 'ca-certificates') }],
    startup: { kind: 'argv', command: ['/usr/bin/python3', '-u', `${DATA}/{{MAIN_FILE}}`] },
    environment: { HOME: DATA, PYTHONPATH: `${DATA}/packages`, PYTHONDONTWRITEBYTECODE: '1' },
    dataPath: DATA,
    proofOfLife: { tcpPort: 'primary', timeoutSeconds: 120 },
    stop: signalled('SIGINT', 30),
    install: shellInstall(
      [],
      `
if [ ! -e main.py ]; then
cat > main.py <<'PROGRAM'
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Hello from Python\\n")


port = int(os.environ["SERVER_PORT"])
print(f"Listening on port {port}")
try:
    ThreadingHTTPServer(("", port), Hello).serve_forever()
except KeyboardInterrupt:
    print("Stopped")
PROGRAM
fi`,
    ),
    port: { protocol: 'tcp' },
    limits: { memoryMb: 256, cpuPercent: 100, diskMb: 1024 },
  },
  variables: [
    {
      name: 'Program',
      description: 'The file to run.',
      env: 'MAIN_FILE',
      default: 'main.py',
      rules: scriptRule('py'),
    },
  ],
}

export const redis: BuiltInInput = {
  format: 'lodge/v1',
  uuid: '5d081183-60f9-42f7-a899-f904249a738b',
  name: 'Redis',
  author: 'Lodge',
  description: 'Key-value store, kept on disk by an append-only file.',
  tags: ['database'],
  icon: 'redis',
  connection: ['With redis-cli: redis-cli -h {{server.address}} -p {{server.port}} --askpass'],
  kind: 'container',
  runtime: {
    images: [{ name: 'Debian 12', source: debian('redis-server') }],
    startup: {
      kind: 'argv',
      command: ['/usr/bin/redis-server', `${DATA}/redis.conf`, '--port', '{{SERVER_PORT}}'],
    },
    environment: { HOME: DATA },
    dataPath: DATA,
    proofOfLife: { ...printed('Ready to accept connections'), timeoutSeconds: 600 },
    stop: signalled('SIGTERM', 120),
    configFiles: [
      {
        path: 'redis.conf',
        parser: 'file',
        edits: [
          { match: 'requirepass ', value: 'requirepass "{{REDIS_PASSWORD}}"' },
          { match: 'maxmemory ', value: 'maxmemory {{SERVER_MEMORY}}mb' },
          { match: 'maxmemory-policy ', value: 'maxmemory-policy {{EVICTION}}' },
        ],
      },
    ],
    install: shellInstall(
      [],
      `
if [ ! -e redis.conf ]; then
cat > redis.conf <<'CONFIG'
dir ${DATA}
bind 0.0.0.0
appendonly yes
requirepass ""
maxmemory 0
maxmemory-policy noeviction
CONFIG
fi`,
    ),
    port: { protocol: 'tcp', containerPort: 6379 },
    limits: { memoryMb: 256, cpuPercent: 100, diskMb: 2048 },
    memoryOverheadMb: 128,
  },
  variables: [
    {
      name: 'Password',
      env: 'REDIS_PASSWORD',
      rules: [
        { rule: 'required' },
        { rule: 'regex', pattern: '^[A-Za-z0-9_.~-]{8,128}$', flags: '' },
      ],
      secret: true,
    },
    {
      name: 'When memory is full',
      env: 'EVICTION',
      default: 'noeviction',
      rules: [
        { rule: 'required' },
        {
          rule: 'in',
          values: ['noeviction', 'allkeys-lru', 'allkeys-lfu', 'volatile-lru', 'volatile-ttl'],
        },
      ],
    },
  ],
}
