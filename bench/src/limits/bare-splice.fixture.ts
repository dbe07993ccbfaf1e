import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import { WebSocketServer } from 'ws'
import { openAuthority } from '../../../control-plane/src/fleet/authority.ts'
import { frameReader } from '../../../drivers/docker/src/output/frames.ts'
import { attachRaw } from '../stage/attachment.ts'

/**
 * The limit of a console, in two programs. `plane` splices browsers' connections, unread, with
 * connections over TLS. `agent` is at the other end of those and joins their WebSockets with one
 * attachment to the engine: every output goes to all of them, at the pace of the slowest.
 */

const HIGH_BYTES = 1024 * 1024
const [, , part, ...given] = process.argv

async function plane(): Promise<void> {
  const authority = await openAuthority(process.env.LODGE_DATA ?? '')
  const leaf = await authority.issue(new Date(), 1)
  const agents: net.Socket[] = []
  const browsers: net.Socket[] = []
  // Either may arrive first: the handshake ends later on this side than on the other.
  const pair = () => {
    const [browser, agent] = [browsers[0], agents[0]]
    if (!browser || !agent) return
    browsers.shift()
    agents.shift()
    for (const [one, other] of [[browser, agent] as const, [agent, browser] as const]) {
      one.on('error', () => one.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  }
  const back = tls.createServer({ key: leaf.key, cert: leaf.cert, noDelay: true }, (socket) => {
    agents.push(socket)
    pair()
  })
  const front = net.createServer({ noDelay: true }, (browser) => {
    browsers.push(browser)
    pair()
  })
  const [port, agentPort] = [await listening(front), await listening(back)]
  console.log(JSON.stringify({ port, agentPort }))
}

/** @param connections how many browsers can be served */
async function agent(port: number, connections: number, engine: string, container: string) {
  const attachment = await attachRaw(engine, container)
  const server = http.createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'command') attachment.write(`${message.line}\n`)
    })
  })
  const say = frameReader(false, (chunk) => {
    for (const socket of sockets.clients) {
      socket.send(chunk, { binary: true }, () => {
        if (socket.bufferedAmount < HIGH_BYTES) attachment.resume()
      })
      if (socket.bufferedAmount >= HIGH_BYTES) attachment.pause()
    }
  })
  attachment.on('data', say)
  for (let at = 0; at < connections; at++) {
    // Both ends belong to this run, so identity is not checked.
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.setNoDelay(true)
    await once(socket, 'secureConnect')
    server.emit('connection', socket)
  }
  console.log(JSON.stringify({ connections }))
}

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return address !== null && typeof address !== 'string' ? address.port : 0
}

if (part === 'plane') await plane()
else {
  const [port, connections, engine, container] = given
  await agent(Number(port), Number(connections), engine ?? '', container ?? '')
}
process.on('SIGTERM', () => process.exit(0))
