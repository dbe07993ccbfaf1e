import { createInterface } from 'node:readline'
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceService,
} from '@lodge/proto/fleet.ts'
import { type DesiredServer, Ending, Power } from '@lodge/proto/server.ts'
import { openAuthority } from '../../../control-plane/src/fleet/authority.ts'

/**
 * The limit of a fleet's control plane: grpc-js over TLS that decodes and acknowledges agents'
 * messages and stores nothing. A line `broadcast` on standard input sends one desired state to
 * every agent.
 */

const authority = await openAuthority(process.env.LODGE_DATA ?? '')
const leaf = await authority.issue(new Date(), 1)
const streams = new Set<ServerDuplexStream<ConnectRequest, ConnectResponse>>()
const desired: DesiredServer = {
  serverId: crypto.randomUUID(),
  generation: 2,
  power: Power.ON,
  run: 1,
  install: 1,
  ending: Ending.GRACEFUL,
  removed: false,
  crashPolicy: undefined,
  containerSpec: 'x'.repeat(600),
  placementGeneration: 1,
}
const welcome = {
  protocolMinor: 1,
  sessionId: crypto.randomUUID(),
  heartbeatEvery: undefined,
  sampleEvery: undefined,
  reportThrough: 0,
  leaseMode: '',
  nodeEpoch: 1,
  fenced: false,
  portRanges: [],
}

const grpc = new Server({ 'grpc.enable_channelz': 0 })
grpc.addService(FleetServiceService, {
  connect(stream: ServerDuplexStream<ConnectRequest, ConnectResponse>) {
    streams.add(stream)
    for (const over of ['end', 'close', 'cancelled', 'error']) {
      stream.on(over, () => streams.delete(stream))
    }
    stream.on('data', ({ message }: ConnectRequest) => {
      if (message?.$case === 'hello') {
        stream.write({ message: { $case: 'welcome', value: welcome } })
        stream.write({ message: { $case: 'desiredEnd', value: {} } })
      } else if (message?.$case === 'heartbeat') {
        const { sequence } = message.value
        stream.write({
          message: {
            $case: 'heartbeatAck',
            value: { sequence, leaseTtl: undefined, nodeEpoch: 0 },
          },
        })
      } else if (message?.$case === 'report') {
        const through = message.value.sequence
        stream.write({ message: { $case: 'reportAck', value: { through } } })
      }
    })
  },
})
createInterface({ input: process.stdin }).on('line', () => {
  for (const stream of streams)
    stream.write({ message: { $case: 'desiredServer', value: desired } })
})
const secure = ServerCredentials.createSsl(null, [
  { private_key: Buffer.from(leaf.key), cert_chain: Buffer.from(leaf.cert) },
])
grpc.bindAsync(`127.0.0.1:${process.env.LODGE_FLEET_PORT ?? 0}`, secure, (error, port) => {
  if (error) throw error
  console.log(JSON.stringify({ port }))
})
process.on('SIGTERM', () => process.exit(0))
