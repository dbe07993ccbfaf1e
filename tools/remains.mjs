// Finds everything that Lodge has created on this machine, for its removal.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runningPostmaster, socketPlace } from '../control-plane/src/embedded-postgres/cluster.ts'
import { answers } from './engine-socket.mjs'
import { endOwnEngine, ownSocket, startOwnEngine } from './own-engine.mjs'
import { endOwnLibvirt, ownLibvirt } from './own-libvirt.mjs'
import { at, childEnvironment, node24, root, say } from './place.mjs'

const systemSocket = '/var/run/docker.sock'
const unitFolder = '/etc/systemd/system'
/** Where the installers in deploy/ and the join line of new nodes install. */
const installed = {
  programs: ['/opt/lodge', '/opt/lodge.old', '/opt/lodge-agent', '/opt/lodge-agent.old'],
  settings: '/etc/lodge',
  caches: ['/var/cache/lodge', '/var/cache/lodge-agent'],
  controlPlaneData: '/var/lib/lodge',
  agentData: '/var/lib/lodge-agent',
  user: 'lodge',
}
const endsWithinMs = 60_000

/**
 * Installers use a single location; an installation anywhere else was made by `npm start` and
 * touches nothing else.
 */
const isInstalledPlace = (dataFolder) => dataFolder === installed.controlPlaneData

/** Running programs of `npm start`. */
export function programsHere(dataFolder) {
  const pid = liveHolder(path.join(dataFolder, 'start.lock.pid'), dataFolder)
  if (!pid) return []
  const remove = async () => {
    process.kill(pid, 'SIGTERM')
    await until(() => !isAlive(pid), `process ${pid} does not end`)
  }
  return [{ what: `npm start (process ${pid}): control plane, agent and database`, remove }]
}

/** The systemd units, if they serve this data folder. */
export function unitsHere(dataFolder) {
  if (!isInstalledPlace(dataFolder)) return []
  return ['lodge-control-plane', 'lodge-agent']
    .map((name) => [name, path.join(unitFolder, `${name}.service`)])
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => ({
      what: `systemd unit ${name}`,
      async remove() {
        must('systemctl', ['disable', '--now', name])
        rmSync(file, { force: true })
        must('systemctl', ['daemon-reload'])
      },
    }))
}

/** Our own Docker engine and libvirt daemons, if we started them. */
export async function enginesHere(dataFolder) {
  const folder = path.join(dataFolder, 'docker')
  const found = []
  if (existsSync(folder)) {
    // Containers outlive their engine, and only the engine can remove them.
    if (!(await answers(ownSocket(folder)))) {
      const fault = await startOwnEngine(folder)
      if (fault) say(`The Docker engine in ${folder} cannot be started: ${fault}`)
    }
    found.push({
      what: `Docker engine in ${folder}`,
      socket: ownSocket(folder),
      remove: () => endOwnEngine(folder),
    })
  }
  for (const { program, pid } of ownLibvirt(dataFolder)) {
    found.push({ what: `${program} (process ${pid})`, remove: () => endOwnLibvirt(pid) })
  }
  return found
}

/** The agents on this machine; each knows what it has created: servers, networks, rules, hooks. */
export function agentsHere(dataFolder, engines) {
  const folders = [path.join(dataFolder, 'agent')]
  if (isInstalledPlace(dataFolder)) folders.push(installed.agentData)
  const given = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '')
  const sockets = [...engines.map(({ socket }) => socket), given, systemSocket].filter(
    (socket) => socket?.startsWith('/') && existsSync(socket),
  )
  return folders
    .filter((folder) =>
      ['journal.db', 'node.json'].some((name) => existsSync(path.join(folder, name))),
    )
    .flatMap((folder) =>
      [...new Set(sockets.length > 0 ? sockets : [systemSocket])].map((socket) =>
        agentAt(folder, socket),
      ),
    )
}

function agentAt(folder, socket) {
  const run = (command) =>
    spawnSync(node24(), [at('agent/src/main.ts'), command], {
      cwd: root,
      env: childEnvironment({ LODGE_AGENT_DATA: folder, LODGE_AGENT_DOCKER_SOCKET: socket }),
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    })
  return {
    list: () => run('remains').stdout.split('\n'),
    async remove() {
      const { status, stdout } = run('uninstall')
      process.stderr.write(stdout)
      if (status !== 0) throw new Error(`something of the agent in ${folder}: see above`)
    },
  }
}

/** Files on disk: `gone` will be removed, `kept` are data folders that stay. */
export function filesHere(dataFolder, withData) {
  const database = path.join(dataFolder, 'database')
  const data = [dataFolder]
  const sockets = socketPlace(database)
  const others = [path.join(dataFolder, 'agent-program')]
  if (!sockets.startsWith(`${dataFolder}/`)) others.push(sockets)
  if (isInstalledPlace(dataFolder)) {
    data.push(installed.agentData)
    others.push(...installed.programs, installed.settings, ...installed.caches)
  }
  const there = (places) => places.filter((place) => existsSync(place))
  const gone = [...there(others), ...(withData ? there(data) : [])].map((place) => ({
    what: `folder ${place}`,
    remove: async () => removeFolder(place),
  }))
  if (existsSync(database)) gone.unshift(databaseServer(database))
  // The user owns the control plane's data, so both are removed together.
  if (withData && isInstalledPlace(dataFolder) && hasUser(installed.user)) {
    gone.push({
      what: `user ${installed.user}`,
      remove: async () => must('userdel', [installed.user]),
    })
  }
  return { gone: gone.filter(Boolean), kept: withData ? [] : there(data) }
}

/**
 * Unmounts everything below the folder first: engines leave mounts behind, and removing through one
 * would delete another file system's content.
 */
function removeFolder(folder) {
  const mounted = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((place) => place.startsWith(`${folder}/`))
  for (const place of mounted.toReversed()) must('umount', ['--', place])
  // Emptied first: if an administrator has mounted a disk there, the empty mount point stays.
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    rmSync(path.join(folder, name), { recursive: true, force: true })
  try {
    rmdirSync(folder)
  } catch (error) {
    if (error.code !== 'EBUSY' && error.code !== 'ENOENT') throw error
  }
}

/** A killed control plane leaves its database running. */
function databaseServer(folder) {
  return {
    async remove() {
      const pid = await runningPostmaster(path.join(folder, 'data'))
      if (!pid) return
      process.kill(pid, 'SIGINT')
      await until(() => !isAlive(pid), `the database (process ${pid}) does not end`)
    },
  }
}

/** The process in a lock file, if it is our own for this folder. */
function liveHolder(file, dataFolder) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes('tools/start.mjs') && existsSync(dataFolder) ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function until(isSo, otherwise) {
  const deadline = Date.now() + endsWithinMs
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(otherwise)
    await pause(100)
  }
}

const hasUser = (name) => spawnSync('getent', ['passwd', name]).status === 0

function must(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(error?.message ?? stderr.trim().split('\n').at(-1))
}
