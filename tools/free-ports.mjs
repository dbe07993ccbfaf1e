import net from 'node:net'

/**
 * Why these ports cannot be opened, as a sentence for the operator, or undefined.
 * @param wanted pairs of the setting that names a port and `{ host, port }`
 */
export async function whyNoPorts(wanted) {
  for (const [variable, place] of wanted) {
    const code = await faultOf(place)
    if (code === 'EADDRINUSE')
      return `Port ${place.port} is in use by another program. End that one, or choose another port with ${variable}.`
    if (code === 'EACCES')
      return `Port ${place.port} may not be opened without root. Choose one from 1024 on with ${variable}.`
  }
  return undefined
}

/** The error code of opening the port, or undefined. */
function faultOf({ host, port }) {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => resolve(error.code))
    server.listen({ host, port: Number(port) }, () => server.close(() => resolve(undefined)))
  })
}
