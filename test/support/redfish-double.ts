import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

const AUTHORIZATION = `Basic ${Buffer.from('lodge:calvin').toString('base64')}`
const ROOT = '/redfish/v1/Systems'

/**
 * The part of a management controller that controls the power, with the resources of the DMTF
 * (ComputerSystemCollection, ComputerSystem 1.x, the action Reset).
 */
export class RedfishDouble implements AsyncDisposable {
  /** `PowerState` of all systems. */
  power: string | null = 'On'
  systems: string[] = []
  /** The target URL of the action. */
  target = ''
  /** Bodies of received actions. */
  readonly resets: unknown[] = []
  /** Whether the action takes effect immediately. */
  isPrompt = false
  readonly #server = http.createServer((request, response) => void this.#answer(request, response))

  constructor() {
    this.reset()
  }

  reset(): void {
    this.power = 'On'
    this.systems = ['System.Embedded.1']
    this.target = `${ROOT}/System.Embedded.1/Actions/ComputerSystem.Reset`
    this.resets.length = 0
    this.isPrompt = false
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const say = (status: number, body?: object) => {
      response.writeHead(status, { 'content-type': 'application/json', 'odata-version': '4.0' })
      response.end(body && JSON.stringify(body))
    }
    let text = ''
    for await (const part of request) text += part
    if (request.headers.authorization !== AUTHORIZATION)
      return say(401, { error: { code: 'Base.1.18.NoValidSession' } })
    const { method, url = '' } = request
    if (method === 'POST' && url === this.target) {
      this.resets.push(JSON.parse(text))
      if (this.isPrompt) this.power = 'Off'
      return say(204)
    }
    if (method === 'GET' && url === ROOT) return say(200, this.#collection())
    const system = this.systems.find((id) => url === `${ROOT}/${id}`)
    if (method === 'GET' && system) return say(200, this.#system(system))
    say(404, { error: { code: 'Base.1.18.ResourceMissingAtURI' } })
  }

  #collection() {
    return {
      '@odata.id': ROOT,
      '@odata.type': '#ComputerSystemCollection.ComputerSystemCollection',
      Name: 'Computer System Collection',
      'Members@odata.count': this.systems.length,
      Members: this.systems.map((id) => ({ '@odata.id': `${ROOT}/${id}` })),
    }
  }

  #system(id: string) {
    return {
      '@odata.id': `${ROOT}/${id}`,
      '@odata.type': '#ComputerSystem.v1_23_0.ComputerSystem',
      Id: id,
      Name: 'System',
      SystemType: 'Physical',
      PowerState: this.power,
      Actions: {
        '#ComputerSystem.Reset': {
          target: this.target,
          'ResetType@Redfish.AllowableValues': [
            'On',
            'ForceOff',
            'GracefulShutdown',
            'ForceRestart',
          ],
        },
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
