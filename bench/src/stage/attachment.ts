import net from 'node:net'

/**
 * A raw connection to a container's standard streams: writes go to its input, reads are its output
 * in the engine's framing.
 */
export async function attachRaw(socketPath: string, container: string): Promise<net.Socket> {
  const socket = net.connect(socketPath)
  socket.write(
    `POST /containers/${container}/attach?stream=1&stdin=1&stdout=1&stderr=1 HTTP/1.1\r\nhost: engine\r\nconnection: Upgrade\r\nupgrade: tcp\r\n\r\n`,
  )
  // The first response is the engine's own: the container prints nothing before its first input.
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (head: Buffer) => {
      if (head.toString().startsWith('HTTP/1.1 101')) resolve()
      else reject(new Error(`the engine answered ${head}`))
    })
    socket.once('error', reject)
  })
  return socket
}
