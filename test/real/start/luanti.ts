import dgram from 'node:dgram'

/**
 * First packet of a client: protocol id, no peer id yet, channel 0, reliable, sequence number
 * 65500, an empty original packet.
 */
const HELLO = Buffer.from('4f457403000000ffdc01', 'hex')
const PROTOCOL_ID = 0x4f457403

/** Whether a Luanti server answers at this UDP port with a packet of its protocol. */
export function answersLuanti(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = dgram.createSocket('udp4')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), 3000)
  socket.on('message', (message) => resolve(message.readUInt32BE(0) === PROTOCOL_ID))
  socket.on('error', () => resolve(false))
  socket.send(HELLO, port, host)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.close()
  })
}
