import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import type pg from 'pg'
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../control-plane/src/embedded-postgres/supervisor.ts'
import { HttpCaller } from '../../real/support/http-caller.ts'
import {
  type ControlPlaneProcess,
  controlPlaneProcess,
} from '../../support/control-plane-process.ts'
import { documented, type Haproxy, startHaproxy } from '../../support/haproxy.ts'
import { freePort } from '../../support/processes.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { databaseAt, startFounder } from './founder.ts'
import { type GuardedFleet, guardedFleet, QUICK_HEARTBEAT, QUICK_TIMES } from './guarded-fleet.ts'
import { synchronousStandby } from './standby.ts'

const DOCUMENTED = path.resolve(import.meta.dirname, '../../../deploy/several/haproxy.cfg')
const QUIET = { info: () => undefined, warn: () => undefined }

/**
 * Two control planes behind the HAProxy of `deploy`, a guarded fleet behind it as well, and a PostgreSQL
 * with a synchronous standby behind another HAProxy.
 */
export interface BehindHaproxy extends AsyncDisposable {
  readonly instances: readonly ControlPlaneProcess[]
  /** An administrator, through HAProxy with TLS. */
  readonly admin: HttpCaller
  /** The HAProxy in front of both. */
  readonly proxy: Haproxy
  readonly fleet: GuardedFleet
  readonly primary: EmbeddedDatabase
  readonly standby: EmbeddedDatabase
  /** The database that HAProxy currently leads to. */
  readonly pool: pg.Pool
}

export async function behindHaproxy(): Promise<BehindHaproxy> {
  const stack = new AsyncDisposableStack()
  try {
    return await build(stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function build(stack: AsyncDisposableStack): Promise<BehindHaproxy> {
  const folder = await mkdtemp(path.join(quickFolder(), 'lodge-haproxy-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const folders = { from: path.join(folder, 'one'), to: path.join(folder, 'other') }
  const primary = await startEmbeddedDatabase({ folder: folders.from, log: QUIET })
  stack.defer(() => primary.stop())
  // Every commit waits for the standby, so it stops last but one.
  let standby: EmbeddedDatabase | undefined
  stack.defer(() => standby?.stop())
  const port = await freePort()
  const sockets = [primary.connection.host, path.join(folders.to, 'socket')]
  stack.use(await startHaproxy(beforePostgresql(port, sockets), () => answers(port)))
  const database = databaseAt(`127.0.0.1:${port}/lodge`)
  stack.defer(() => database.drop())

  // Creates the fleet, and hands it over to the two control planes.
  const founder = await startFounder(database, stack)
  const { lodge } = founder
  const ports = {
    ...{ http: await freePort(), panel: await freePort() },
    ...{ nodes: await freePort(), sftp: await freePort() },
  }
  const origin = `https://localhost:${ports.panel}`
  const instances: ControlPlaneProcess[] = []
  for (const _ of ['one', 'two']) {
    const environment = {
      LODGE_APPLICATION_DATABASE_URL: '',
      WEB_ORIGIN: origin,
      LODGE_TRUSTED_PROXIES: '127.0.0.1',
      LODGE_FLEET_ADDRESS: `127.0.0.1:${ports.nodes}`,
    }
    const options = { ...QUICK_HEARTBEAT, leaseTimes: QUICK_TIMES }
    const given = { dataFolder: lodge.dataFolder, database }
    instances.push(stack.use(await controlPlaneProcess(given, { environment, options })))
  }
  const fleet = stack.use(
    await guardedFleet(lodge, () =>
      founder.hasLeft ? ports.nodes : lodge.controlPlane.services.fleet.port,
    ),
  )
  standby = await synchronousStandby(primary, folders)

  const { certificate, key } = await selfSigned('localhost')
  const pem = path.join(folder, 'panel.pem')
  await writeFile(pem, `${certificate}${key}`, { mode: 0o600 })
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, certificate])
  stack.defer(() => tls.setDefaultCACertificates(before))
  await Promise.all(instances.map((one) => one.start()))
  const proxy = stack.use(
    await startHaproxy(await beforePanels(instances, ports, pem), () => answers(ports.panel)),
  )
  await founder.leave()
  const admin = new HttpCaller(origin)
  admin.cookie = `panel_session=${(await lodge.admin()).cookie}`
  return {
    ...{ instances, admin, fleet, primary, standby, proxy, pool: database.pool },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function beforePanels(
  instances: readonly ControlPlaneProcess[],
  ports: Readonly<Record<'http' | 'panel' | 'nodes' | 'sftp', number>>,
  pem: string,
): Promise<string> {
  const servers = instances.flatMap((one, at) => [
    [`control-plane-${at + 1}:8080`, `127.0.0.1:${one.port}`],
    [`control-plane-${at + 1}:8443 port 8080`, `127.0.0.1:${one.fleetPort} port ${one.port}`],
    // Unused here.
    [`control-plane-${at + 1}:2022 port 8080`, `127.0.0.1:${one.port}`],
  ])
  return documented(DOCUMENTED, {
    'bind :80\n': `bind 127.0.0.1:${ports.http}\n`,
    'bind :443': `bind 127.0.0.1:${ports.panel}`,
    '/etc/haproxy/panel.pem': pem,
    'bind :8443': `bind 127.0.0.1:${ports.nodes}`,
    'bind :2022': `bind 127.0.0.1:${ports.sftp}`,
    ...Object.fromEntries(servers),
  })
}

/** The first one alive, as if a fence kept a lost primary from coming back. */
const beforePostgresql = (port: number, [one, other]: readonly string[]) => `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  option pgsql-check user postgres
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
listen postgresql
  bind 127.0.0.1:${port}
  server one unix@${one}/.s.PGSQL.5432
  server other unix@${other}/.s.PGSQL.5432 backup
`

const answers = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => resolve()).once('error', reject)
    socket.once('connect', () => socket.destroy())
  })
