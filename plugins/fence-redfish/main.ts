import type { Host, Plugin } from '../sdk/index.ts'

/**
 * Where to find the system of a node, from the line of the settings that begins with its id or its
 * name.
 */
interface Machine {
  readonly address: string
  /** Null: the only one of its controller. */
  readonly system: string | null
}

/** A response of a controller; its fields are checked where they are used. */
type Json = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Json => Object(value) as Json
const RESET = '#ComputerSystem.Reset'

/** The machines in the settings, by the first word of their lines. */
export function machinesIn(text: string): ReadonlyMap<string, Machine> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [node = '', address = '', system = null] = line.split(/\s+/)
      if (!/^https:\/\/[^/]+\/?$/.test(address))
        throw new Error(`The line of ${node} has no address such as https://bmc1.example.lan`)
      return [node, { address: address.replace(/\/$/, ''), system }] as const
    }),
  )
}

/** One controller, accessed with Redfish (DMTF DSP0266) and the credentials in the settings. */
class Controller {
  readonly #host: Host
  readonly #address: string

  constructor(host: Host, address: string) {
    this.#host = host
    this.#address = address
  }

  async get(path: string): Promise<Json> {
    return fieldsOf(JSON.parse(await this.#send('GET', path)))
  }

  async post(path: string, body: Json): Promise<void> {
    await this.#send('POST', path, JSON.stringify(body))
  }

  async #send(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
    const { user, password } = this.#host.settings
    const { status, text } = await this.#host.fetch(`${this.#address}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'odata-version': '4.0',
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    if (status < 200 || status > 299)
      throw new Error(`${this.#address} answered ${status} to ${method} ${path}`)
    return text
  }
}

/** A path on the same controller, for whatever URL it returns. */
function pathOf(value: unknown): string {
  if (typeof value === 'string' && value.startsWith('/redfish/')) return value
  throw new Error('The controller gave no path where it should')
}

async function systemPath(controller: Controller, { system }: Machine): Promise<string> {
  if (system !== null) return `/redfish/v1/Systems/${encodeURIComponent(system)}`
  const { Members: members } = await controller.get('/redfish/v1/Systems')
  if (!Array.isArray(members) || members.length !== 1)
    throw new Error('The controller has not exactly one system: add the id of the right one')
  return pathOf(fieldsOf(members[0])['@odata.id'])
}

/** The meaning of `PowerState`: a machine that is changing counts as on. */
function powerIn({ PowerState: state }: Json): 'on' | 'off' | 'unknown' {
  if (state === 'Off') return 'off'
  return ['On', 'PoweringOn', 'PoweringOff', 'Paused'].includes(String(state)) ? 'on' : 'unknown'
}

const plugin: Plugin = (host) => {
  const machines = machinesIn(String(host.settings.machines ?? ''))
  /** The current system resource of a node. */
  async function look({ nodeId, name }: { readonly nodeId: string; readonly name: string }) {
    const machine = machines.get(nodeId) ?? machines.get(name)
    if (!machine) throw new Error(`No line of the settings begins with ${name} or ${nodeId}`)
    const controller = new Controller(host, machine.address)
    return { controller, system: await controller.get(await systemPath(controller, machine)) }
  }
  return {
    health: () => ({ ok: true, message: `Knows ${machines.size} machines` }),
    fence: {
      async off(node) {
        const { controller, system } = await look(node)
        if (powerIn(system) === 'off') return {}
        const { target } = fieldsOf(fieldsOf(system.Actions)[RESET])
        await controller.post(pathOf(target), { ResetType: 'ForceOff' })
        return {}
      },
      async status(node) {
        return { power: powerIn((await look(node)).system) }
      },
    },
  }
}
export default plugin
