import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './processes.ts'
import { until } from './until.ts'

export interface Nginx extends AsyncDisposable {
  readonly port: number
}

/**
 * A real nginx in front of a panel, configured as documented, with keep-alive connections to the
 * panel that all clients share.
 * @param tls certificate and key in PEM; without them it serves plain HTTP
 */
export async function startNginx(given: {
  upstream: number
  tls?: { readonly certificate: string; readonly key: string }
}): Promise<Nginx> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-nginx-'))
  const port = await freePort()
  const at = (name: string) => path.join(folder, name)
  if (given.tls) {
    await writeFile(at('certificate.pem'), given.tls.certificate)
    await writeFile(at('key.pem'), given.tls.key, { mode: 0o600 })
  }
  await writeFile(at('nginx.conf'), configuration({ ...given, folder, port }))
  const program = spawn(
    '/usr/sbin/nginx',
    ['-p', folder, '-c', at('nginx.conf'), '-e', at('error.log')],
    {
      stdio: 'ignore',
    },
  )
  const ended = once(program, 'exit')
  await until(async () => {
    if (program.exitCode !== null) throw new Error(await readFile(at('error.log'), 'utf8'))
    return takes(port)
  })
  return {
    port,
    async [Symbol.asyncDispose]() {
      program.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(given: { folder: string; port: number; upstream: number; tls?: unknown }) {
  const tls = given.tls
    ? `ssl_certificate ${given.folder}/certificate.pem; ssl_certificate_key ${given.folder}/key.pem;`
    : ''
  return `
    daemon off;
    worker_processes 1;
    pid ${given.folder}/nginx.pid;
    events { worker_connections 512; }
    http {
      access_log off;
      client_body_temp_path ${given.folder}/body;
      proxy_temp_path ${given.folder}/proxy;
      fastcgi_temp_path ${given.folder}/fastcgi;
      uwsgi_temp_path ${given.folder}/uwsgi;
      scgi_temp_path ${given.folder}/scgi;
      map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
      upstream panel { server 127.0.0.1:${given.upstream}; keepalive 8; }
      server {
        listen 127.0.0.1:${given.port} ${given.tls ? 'ssl' : ''};
        ${tls}
        location / {
          proxy_pass http://panel;
          proxy_http_version 1.1;
          proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_upgrade;
          proxy_buffering off;
        }
      }
    }
  `
}

const takes = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
