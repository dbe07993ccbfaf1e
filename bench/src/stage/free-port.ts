import net from 'node:net'

/** Outside of the ports of the servers of the rows' nodes, and of those that the kernel gives away. */
const NODE_PORTS = { from: 61_000, to: 65_000 }

/** A port for what a node itself opens. */
export async function freePortOfNode(): Promise<number> {
  for (let port = NODE_PORTS.from; port <= NODE_PORTS.to; port++) {
    const server = net.createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error('no port is free')
}
