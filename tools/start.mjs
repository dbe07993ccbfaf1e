// npm start: all of Lodge on this machine. Ctrl-C ends it; the servers, and the Docker engine that
// they run in, keep running, and the next start finds them again.
import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lockFolder } from '../shared/src/local/folder-lock.ts'
import { bundleAgent } from './bundle-agent.mjs'
import { keepRunning, startProgram } from './child-program.mjs'
import { hasVirtualMachines, installVirtualMachines } from './debian.mjs'
import { ensureDockerEngine } from './docker-engine.mjs'
import { whyNoPorts } from './free-ports.mjs'
import { joinLocalNode, localAgent } from './local-agent.mjs'
import { keepLibvirt } from './own-libvirt.mjs'
import { at, dataFolder, giveUp, say } from './place.mjs'
import { terminalLog } from './terminal-log.mjs'
import { buildWeb } from './web-build.mjs'

const domain = process.env.LODGE_DOMAIN
// With a domain, the ACME authority verifies it over port 80.
const port = process.env.LODGE_PORT ?? (domain ? '80' : '8080')
const fleetPort = process.env.LODGE_FLEET_PORT ?? '8443'
const hasTls = Boolean(domain || process.env.LODGE_TLS_CERT)
const tlsPort = process.env.LODGE_HTTPS_PORT ?? '443'
const wantsLocalNode = process.env.LODGE_LOCAL_NODE !== 'false'
const wantsMachines = wantsLocalNode && process.env.LODGE_AGENT_MACHINES !== 'none'
// Someone who starts Lodge by hand wants to see problems; more output would bury the address. Whoever
// asks for a level wants the log itself.
const logLevel = process.env.LODGE_LOG_LEVEL ?? 'warn'
const logTo = (name) =>
  process.env.LODGE_LOG_LEVEL ? undefined : terminalLog(name, path.join(dataFolder, 'log'))
/** A slow machine takes minutes for its first database; whoever waits is told why. */
const readyWithinMs = 600_000
const saysWhyEveryMs = 30_000
/** The longest wait for the agent's connection: the panel works without it. */
const connectedWithinMs = 20_000
/** The longest wait for an instance that was told to stop, or whose npm was killed. */
const otherEndsMs = 10_000

/** What to stop, in reverse order of starting. */
const running = []
let agent
let ending = false
let endedAt = 0
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
process.on('SIGINT', () => (isImpatient() ? killAll() : end(0)))

// The database and machines run as other users and must be able to traverse this folder.
process.umask(0o022)
mkdirSync(dataFolder, { recursive: true, mode: 0o755 })
await lockFolder(dataFolder, 'start', {
  variable: 'LODGE_DATA',
  patienceMs: otherEndsMs,
  waiting: say,
}).catch((error) => giveUp(error.message))
const noPorts = await whyNoPorts([
  ['LODGE_PORT', { host: process.env.LODGE_HOST ?? '0.0.0.0', port }],
  ...(hasTls
    ? [['LODGE_HTTPS_PORT', { host: process.env.LODGE_HOST ?? '0.0.0.0', port: tlsPort }]]
    : []),
  [
    'LODGE_FLEET_PORT',
    {
      host: process.env.LODGE_FLEET_HOST ?? '0.0.0.0',
      port: fleetPort,
    },
  ],
])
if (noPorts) giveUp(noPorts)
buildWeb()
const engine = wantsLocalNode ? await ensureDockerEngine(dataFolder) : undefined
if (engine?.keeper) running.push(engine.keeper)
if (wantsMachines) running.push(keepLibvirt(dataFolder))
if (!ending) await start()

async function start() {
  // What new nodes download, bundled at every start so that they get the running version.
  const agentFolder = path.join(dataFolder, 'agent-program')
  bundleAgent(agentFolder).catch((error) => say(`No agent for other machines: ${error.message}`))
  const env = {
    LODGE_DATA: dataFolder,
    LODGE_PORT: port,
    LODGE_AGENT_FOLDER: agentFolder,
    LODGE_LOG_LEVEL: logLevel,
  }
  const program = [at('control-plane/src/main.ts')]
  const log = logTo('control plane')
  const first = startProgram(program, env, { log })
  running.push(first)
  const fault = await Promise.race([whyNotReady(), first.ended.then(() => 'it ended')])
  if (ending) return
  if (fault) {
    say(`The control plane did not start: ${fault}`)
    return end(1)
  }
  // From here on agent and servers keep working without it until it is back.
  running[running.indexOf(first)] = keepRunning('control plane', program, env, { log, first })
  const node = engine ? await startAgent() : 'no node yet'
  if (ending) return
  say(banner(node))
  // The agent detects libvirt when it starts.
  if (wantsMachines) installVirtualMachines(() => agent?.again())
}

/** Waits until the panel answers; otherwise returns the last reason. */
async function whyNotReady() {
  const deadline = Date.now() + readyWithinMs
  let reasons = []
  let saysNextMs = Date.now() + saysWhyEveryMs
  while (!ending && Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    if (answer?.ok) return undefined
    if (answer) reasons = (await answer.json().catch(() => ({}))).reasons ?? []
    if (Date.now() > saysNextMs) {
      say(['The control plane is still starting', ...reasons].join(': '))
      saysNextMs += saysWhyEveryMs
    }
    await pause(50)
  }
  return [`it was not ready within ${readyWithinMs / 1000} s`, ...reasons].join(': ')
}

/**
 * Starts the agent and waits until servers can be placed here. Returns the banner's text for the
 * node.
 */
async function startAgent() {
  const local = localAgent({ dataFolder, engine, fleetPort, logLevel })
  const fault = await joinLocalNode(local)
  if (fault) {
    say(`This machine did not become a node: ${fault}`)
    return 'no node yet'
  }
  if (ending) return undefined
  const { promise: connected, resolve } = Promise.withResolvers()
  const log = logTo('agent')
  const first = startProgram(local.run, local.env, { heard: resolve, log })
  agent = keepRunning('agent', local.run, local.env, { log, first })
  running.push(agent)
  const late = pause(connectedWithinMs, 'late', { ref: false })
  const isLate = (await Promise.race([connected, late])) === 'late'
  const engines = wantsMachines && hasVirtualMachines() ? 'Docker and libvirt' : 'Docker'
  return isLate ? 'this machine, once its agent is connected' : `this machine (${engines})`
}

/** Stops the agent, then the panel and with it the database. */
async function end(code) {
  if (ending) return
  ending = true
  endedAt = Date.now()
  for (const program of running.toReversed()) await program.stop()
  process.exit(code)
}

/**
 * Detects a second Ctrl-C rather than the first one delivered twice: both npm and the terminal may
 * forward it.
 */
function isImpatient() {
  return ending && Date.now() - endedAt > 1_000
}

function killAll() {
  for (const program of running) program.kill()
}

function banner(node) {
  const lines = [
    ...addresses(),
    ['Data:', dataFolder],
    ['Servers run on:', node],
    ['Prometheus:', `/metrics with the token in ${path.join(dataFolder, 'metrics-token')}`],
  ].map(([label, text]) => `${label.padEnd(17)}${text}`)
  lines.push('Ctrl-C ends the panel and the agent; servers keep running.')
  const width = Math.max(...lines.map((line) => line.length))
  const rule = '-'.repeat(width + 4)
  return ['', rule, ...lines.map((line) => `  ${line}`), rule, ''].join('\n')
}

/** Every address of the panel, with a note on its use. */
function addresses() {
  const origin = process.env.WEB_ORIGIN ?? (domain && `https://${domain}${portOf(tlsPort, '443')}`)
  const local = `http://localhost${portOf(port, '80')}`
  if (origin)
    return [
      ['Lodge is ready:', origin],
      ['', `${local} (on this machine)`],
    ]
  const others = Object.entries(os.networkInterfaces())
    .filter(
      ([name]) =>
        !/^(docker|br-|veth|virbr|vnet|lodge|ld|lg[0-9a-f]{10}$|lgv[0-9a-f]{6}$)/.test(name),
    )
    .flatMap(([, list]) => list)
    .filter((address) => address.family === 'IPv4' && !address.internal)
    .slice(0, 2)
    .map(({ address }) => address)
  if (hasTls)
    return [
      ['Lodge is ready:', `${local} (on this machine)`],
      ...others.map((address) => ['', `https://${address}${portOf(tlsPort, '443')}`]),
      ['', 'Set WEB_ORIGIN to the address in your certificate.'],
    ]
  return [
    ['Lodge is ready:', `${local} (on this machine; everything works)`],
    ...others.map((address) => [
      '',
      `http://${address}${portOf(port, '80')} (plain HTTP: unencrypted, no passkeys)`,
    ]),
    ['For HTTPS:', 'LODGE_DOMAIN=<name that leads here> npm start (docs/https.md)'],
  ]
}

function portOf(port, usual) {
  return port === usual ? '' : `:${port}`
}
