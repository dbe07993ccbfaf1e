import net from 'node:net'

/**
 * A raw connection to the standard streams of a container: what is written is its input, what comes is
 * its output in the engine's framing.
 */
export async function attachRaw(socketPath: string, container: string): Promise<net.Socket> {
  const socket = net.connect(socketPath)
  socket.write(
    `POST /containers/${container}/attach?stream=1&stdin=1&stdout=1&stderr=1 HTTP/1.1\r\nhost: engine\r\nconnection: Upgrade\r\nupgrade: tcp\r\n\r\n`,
  )
  // The first answer is the engine's own: nothing is said in a container that nobody has asked yet.
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (head: Buffer) => {
      if (head.toString().startsWith('HTTP/1.1 101')) resolve()
      else reject(new Error(`the engine answered ${head}`))
    })
    socket.once('error', reject)
  })
  return socket
}
