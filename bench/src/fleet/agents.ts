import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentSeed, type Heard, SimulatedAgent } from './simulated-agent.ts'

/**
 * Many agents in a separate process. Settings come as the first argument; on standard input `beats`
 * starts and `still` stops sending samples with the heartbeats. It prints its counts every 50
 * milliseconds.
 */

interface Settings {
  readonly port: number
  readonly caFile: string
  readonly seedFile: string
  readonly beatMs: number
}

const settings: Settings = JSON.parse(process.argv[2] ?? '{}')
const ca = readFileSync(settings.caFile, 'utf8')
const seeds: AgentSeed[] = JSON.parse(readFileSync(settings.seedFile, 'utf8'))
const heard: Heard = {
  welcomed: 0,
  synced: 0,
  beatAcks: 0,
  reportAcks: 0,
  desiredStates: 0,
  lost: 0,
}
const CONNECTING_AT_ONCE = 48
/** Like real agents: a random delay within a bound that doubles. */
const [LEAST_MS, MOST_MS] = [200, 15_000]

let places = CONNECTING_AT_ONCE
const waiting: (() => void)[] = []

async function keepConnected(seed: AgentSeed, at: number): Promise<void> {
  // Two thousand connections from one address are far below the control plane's limit.
  const localAddress = `127.0.0.${2 + Math.floor(at / 2000)}`
  let over: () => void = () => undefined
  const agent = new SimulatedAgent(seed, { port: settings.port, ca, localAddress }, heard, () =>
    over(),
  )
  agents.push(agent)
  for (let tries = 0; ; tries++) {
    if (places > 0) places -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const ended = new Promise<void>((resolve) => {
      over = resolve
    })
    const connected = await agent.connect().then(
      () => true,
      () => false,
    )
    const next = waiting.shift()
    if (next) next()
    else places += 1
    if (connected) {
      tries = 0
      await ended
    }
    const most = Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(tries + 1, 16))
    await pause(LEAST_MS + Math.random() * (most - LEAST_MS))
  }
}

const agents: SimulatedAgent[] = []
for (const [at, seed] of seeds.entries()) void keepConnected(seed, at)

// Each agent once per `beatMs`, spread evenly; the control plane disconnects a silent agent.
const STEPS = 50
let samples = false
let step = 0
setInterval(() => {
  for (let at = step % STEPS; at < agents.length; at += STEPS) agents[at]?.beat(samples)
  step += 1
}, settings.beatMs / STEPS)

const print = () =>
  console.log(JSON.stringify({ ...heard, up: agents.filter((one) => one.synced).length }))
setInterval(print, 50)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'beats') samples = true
    if (line === 'still') samples = false
  })
  .on('close', () => process.exit(0))
