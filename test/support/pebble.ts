import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './processes.ts'
import { selfSigned } from './self-signed.ts'
import { until } from './until.ts'

export interface Pebble extends AsyncDisposable {
  /** URL of its directory. */
  readonly directory: string
  /** Its `host:port`. */
  readonly host: string
  /** PEM of the authority of its TLS certificate. */
  readonly authority: string
}

/**
 * Pebble, Let's Encrypt's test server for ACME clients: it rejects nonces and orders at random, as a
 * real one may, and looks for challenge responses of every name on this machine.
 * @param challengePort where it looks for them
 */
export async function startPebble(challengePort: number): Promise<Pebble> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-pebble-'))
  const at = (name: string) => path.join(folder, name)
  const [port, management, dns, dnsManagement] = await Promise.all(
    Array.from({ length: 4 }, freePort),
  )
  const tls = await selfSigned('localhost')
  await writeFile(at('certificate.pem'), tls.certificate)
  await writeFile(at('key.pem'), tls.key)
  await writeFile(
    at('config.json'),
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: at('certificate.pem'),
        privateKey: at('key.pem'),
        httpPort: challengePort,
        tlsPort: challengePort,
      },
    }),
  )
  const names = spawn(
    '/usr/bin/pebble-challtestsrv',
    [
      ...['-dns01', `127.0.0.1:${dns}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
      ...[
        '-http01',
        '',
        '-https01',
        '',
        '-tlsalpn01',
        '',
        '-management',
        `127.0.0.1:${dnsManagement}`,
      ],
    ],
    { stdio: 'ignore' },
  )
  const pebble = spawn(
    '/usr/bin/pebble',
    ['-config', at('config.json'), '-dnsserver', `127.0.0.1:${dns}`],
    {
      stdio: 'ignore',
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
    },
  )
  const programs = [names, pebble].map((program) => ({ program, ended: once(program, 'exit') }))
  await until(() => {
    if (pebble.exitCode !== null) throw new Error('pebble ended')
    return takes(port ?? 0)
  })
  return {
    directory: `https://localhost:${port}/dir`,
    host: `localhost:${port}`,
    authority: tls.certificate,
    async [Symbol.asyncDispose]() {
      for (const { program, ended } of programs) {
        program.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const takes = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })
